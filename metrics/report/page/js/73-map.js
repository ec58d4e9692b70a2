// The question, and the map of its answer: which choice is best in each setting.

const namedRows = 60; // of a map with names
const along = () => forms.get("ask").elements.along;
const asking = () => data.ask.by[+forms.get("ask").elements.by.value];

// question lets the user ask for something else: another cost, or the settings in another order.
function question() {
  const {by, choose, question: q} = data.ask, asked = list(data.ask.along), kept = [...axes, ...data.methods.length > 1 ? [-1] : []];
  const c = form("ask", ask);
  const key = a => a < 0 ? "algorithm" : data.axes[a].key === "point" ? "points" : data.axes[a].key, name = a => a < 0 ? "method" : data.axes[a].name;
  const called = k => k === "to" ? "accuracy" : k === "algorithm" ? "method" : (data.axes.find(a => a.key === k) || {name: k}).name;
  if (data.map) c.along.add(new Option([...list(q.effect), ...list(q.along)].map(called).join(", ") || "as asked", ""));
  for (const a of kept) if (!data.map || asked[0] !== a || asked.length > 1) c.along.add(new Option(name(a), a));
  if (!data.map && kept.length > 1) c.along.value = String(kept.find(a => !choose.includes(a)) ?? kept[0]);
  const first = c.along.value;
  function ask() {
    const b = asking(), x = c.along.value, other = x !== first, list1 = all => all.length > 1 ? `[${all.join(", ")}]` : all.join();
    byId("ask-degree").textContent = b.degree;
    hide(c.along, c.along.length < 2 || !byId("map") || b.outcome < 0);
    const changed = other || c.by.value !== "0";
    for (const id of ["headline", "sentences"]) if (byId(id)) byId(id).classList.toggle("old", changed);
    note("ask", [changed && "The sentences answer the question of the file; charts and maps are of the one above, by the means of all runs."]);
    const to = q.to && `{${[...q.to.conditions.map(t => `${t.metric}: ${t.value}`), ...q.to.kept ? ["kept: true"] : []].join(", ")}}`;
    const lines = other ? [["choose", choose.filter(a => a !== +x).map(key)], ["along", [x, ...kept.filter(a => a !== +x && !choose.includes(a))].map(a => key(+a))]]
      : ["choose", "effect", "of", "along"].map(k => [k, list(q[k])]);
    const costs = [b, ...by.filter(o => o !== b && q.by.some((_, i) => by[i] === o))].map(o => o.word);
    byId("ask-lines").textContent = ["ask:", ...[...lines, ["by", costs], ["to", to ? [to] : []]].filter(([, v]) => v.length).map(([k, v]) => `  ${k}: ${list1(v)}`)].join("\n");
    if (data.open && b.outcome >= 0 && changed) for (const [id, control] of [["parameter", "outcome"], ["pareto", "x"]]) {
      const e = forms.get(id) && forms.get(id).elements[control];
      if (e) { e.value = String(b.outcome); forms.get(id).changed(control); redraw(id); }
    }
    if (forms.has("map")) forms.get("map").changed("ask");
    redraw("map");
  }
  ask();
}

// ranked ranks the choices in each setting along an axis by the means of an outcome, as the program does by pairs of runs.
function ranked(outcome, x) {
  const o = data.outcomes[outcome], {choose} = data.ask, kept = [...axes, ...data.methods.length > 1 ? [-1] : []];
  const value = (g, a) => a < 0 ? g.method : g.point[a], words = (g, a) => a < 0 ? data.methods[g.method] : g.point[a] < 0 ? `no ${data.axes[a].name}` : setting(a, g.point[a]);
  const rest = kept.filter(a => a !== x && !choose.includes(a)), chosen = [-1, ...axes].filter(a => a !== x && choose.includes(a));
  const order = (a, v) => a >= 0 && data.axes[a].numbers && v >= 0 ? data.axes[a].numbers[v] : v;
  const distinct = (as, reverse) => { // the values on some axes, in order
    const all = [...new Map(groups.map(g => [as.map(a => value(g, a)).join(), g])).values()];
    all.sort((g, h) => as.reduce((d, a) => d || order(a, value(g, a)) - order(a, value(h, a)), 0));
    if (reverse) all.reverse();
    return {keys: all.map(g => as.map(a => value(g, a)).join()), values: all.map(g => as.map(a => as.length > 1 || a < 0 || g.point[a] < 0 ? words(g, a) : data.axes[a].values[g.point[a]]).join(", "))};
  };
  const [cols, rows] = [distinct([x]), distinct(rest, rest.length === 1 && rest[0] >= 0 && data.axes[rest[0]].numbers)], places = new Map(), winners = [];
  for (const g of groups) {
    const at = [cols.keys.indexOf(String(value(g, x))), rows.keys.indexOf(rest.map(a => value(g, a)).join())], e = g.values[outcome];
    if (!places.has(at.join())) places.set(at.join(), {x: at[0], y: at[1], choices: []});
    places.get(at.join()).choices.push({name: chosen.map(a => words(g, a)).join(", ") || "one choice", g, value: e && e[0] !== null ? e[0] : Infinity, e});
  }
  const cells = [...places.values()].map(p => {
    const all = p.choices.sort((a, b) => a.value === b.value ? 0 : o.more && a.value < Infinity && b.value < Infinity ? b.value - a.value : a.value - b.value), low = all[0].value;
    const ratio = v => o.more ? low / v : v / low, best = low === Infinity ? 0 : all.filter(a => ratio(a.value) <= 1.02 || a.value === low).length;
    for (const a of all.slice(0, best)) if (!winners.includes(a.name)) winners.push(a.name);
    return {...p, best, choices: all.map(a => ({...a, cost: {value: a.e && a.e[0], low: a.e && a.e[1], high: a.e && a.e[2]}, ratio: {value: low > 0 && a.value < Infinity ? ratio(a.value) : null}}))};
  });
  for (const p of cells) for (const a of p.choices) a.color = chosen.join() === "-1" ? a.g.method : winners.indexOf(a.name);
  return {x: {name: x < 0 ? "method" : data.axes[x].name, values: cols.values}, y: {name: rest.length === 1 && rest[0] >= 0 ? data.axes[rest[0]].name : "", values: rows.values}, cells, unit: () => o.unit};
}

// common returns the words that all of several names begin with, and those that they end with.
function common(names) {
  const words = names.map(n => n.split(" ")), least = Math.min(...words.map(w => w.length)) - 1;
  if (names.length < 2) return ["", ""];
  let [head, tail] = [0, 0];
  while (head < least && words.every(w => w[head] === words[0][head])) head++;
  while (head + tail < least && words.every(w => w.at(-1 - tail) === words[0].at(-1 - tail))) tail++;
  return [words[0].slice(0, head).map(w => w + " ").join(""), words[0].slice(words[0].length - tail).map(w => " " + w).join("")];
}

// factor writes a margin.
const factor = r => (r >= 9.95 ? Math.round(r).toLocaleString("en") : r.toFixed(r < 1.2 ? 2 : 1)) + "×";

function mapOfChoices() {
  const c = form("map", name => { if (name !== "log") scale(); }, "ask");
  // current returns the map: the program's, as far as it answers the question, or one that is ranked here.
  function current() {
    const b = asking(), i = data.ask.by.indexOf(b), x = along().value, own = c.show.value !== "";
    if (data.map && x === "" && !own && i < data.map.by.length) {
      const m = data.map, unit = p => data.ask.by[p.by].unit;
      return {...m, cells: m.cells.filter(p => m.byRows || p.by === i), unit};
    }
    const first = [...list(data.ask.along), ...axes].find(a => a >= 0) ?? -1;
    const m = b.outcome < 0 ? {...data.map, cells: [], unit: () => b.unit} : ranked(b.outcome, x === "" ? first : +x);
    if (own) for (const p of m.cells) p.choices = p.choices.filter(a => a.g.method === +c.show.value);
    return m;
  }
  const valued = p => p.choices.length && (p.choices[0].cost.value ?? null) !== null;
  const numbers = m => m.cells.filter(valued).map(p => p.choices[0].cost.value);
  function scale() {
    const vs = c.show.value === "" ? [] : numbers(current());
    c.log.disabled = !(vs.length && Math.min(...vs) > 0);
    c.log.checked = !c.log.disabled && spread(vs);
  }
  hide(c.show, axes.length === 0 || data.ask.by[0].outcome < 0);
  scale();
  const lacks = p => p.choices.length ? p.choices[0].g ? missing(p.choices[0].g, p.choices[0].e) : "none arrives" : "not run";

  add("map", () => {
    const m = current(), best = c.show.value === "", log = c.log.checked && !c.log.disabled, vs = numbers(m), scaled = v => log ? Math.log10(v) : v, b = asking();
    hide(c.log, best);
    const [columns, rows] = [m.x.values.length, m.y.values.length], at = byId("map"), narrow = !wide(at.clientWidth) || printing;
    at.style.setProperty("--high", `${96 + Math.max(2, rows) * (rows <= 12 ? 60 : rows <= namedRows ? 20 : 9)}px`);
    const label = Math.min(narrow ? 14 : 44, Math.max(...m.y.values.map(v => v.length))), room = ((printing ? 680 : at.clientWidth) - 40 - 7 * label) / columns;
    const fits = room > 44 && rows <= namedRows, text = name => short(name, Math.max(3, Math.floor((room - 10) / 7.4))), colour = k => css("--line-" + k % data.palette.colors.length);
    const [least, most] = vs.length ? [scaled(Math.min(...vs)), scaled(Math.max(...vs))] : [0, 1];
    const margin = p => { const n = p.choices[1]; return !n ? "" : n.ratio.value > 1 ? factor(n.ratio.value) : n.arrived < p.choices[0].arrived ? `${p.choices[0].arrived} of ${p.choices[0].runs} arrive` : ""; };
    const there = p => best ? p.best > 0 : valued(p);
    const won = [...new Map(m.cells.filter(there).flatMap(p => p.choices.slice(0, p.best)).map(a => [a.name, a.color]))];
    const [head, tail] = best ? common(won.map(w => w[0])) : ["", ""], bare = a => a.name.slice(head.length, a.name.length - tail.length);
    const lines = p => !there(p) ? [text(lacks(p))] : !best ? [show(p.choices[0].cost.value, m.unit(p), 3) + (p.choices[0].e[4] ? "*" : "")]
      : p.best === 1 ? [text(bare(p.choices[0])), margin(p)] : [text(bare(p.choices[0])), text("= " + (p.best > 2 ? `${p.best - 1} others` : bare(p.choices[1])))];
    const fill = p => best ? colour(p.choices[0].color) : null;
    const inked = p => best ? !isDark() && [0, 4].includes(p.choices[0].color % data.palette.colors.length) : !(most > least && scaled(p.choices[0].cost.value) > least + 0.5 * (most - least));
    const what = best ? "The best choice" : `${b.word} of ${data.methods[+c.show.value]}`, rowsOf = m.byRows ? "" : ` in ${b.word}`;
    const out = base(`${what}${best ? rowsOf : ""}${m.x.name ? ", " + m.x.name + " across" : ""}${m.y.name ? ", " + m.y.name + " up" : ""}: ` +
      m.cells.slice(0, 30).map(p => `${m.x.values[p.x]}${m.y.values[p.y] ? ", " + m.y.values[p.y] : ""}: ${there(p) ? p.choices.slice(0, best ? p.best : 1).map(a => a.name).join(" = ") : lacks(p)}`).join("; "));
    out.caption = `${what}${best ? rowsOf : ""}${m.x.name ? " over " + m.x.name : ""}` + (best ? `, and how many times as much the next one costs.${head || tail ? ` All are ${head}…${tail}.` : ""} Hatched: a tie. Grey: less than half of the runs of each choice get there.` : ".");
    Object.assign(out.tooltip, {trigger: "item", formatter: q => { const p = m.cells[q.dataIndex]; return !p ? "" :
      `<b>${escape(m.x.values[p.x])}${m.y.values[p.y] ? ", " + escape(m.y.values[p.y]) : ""}</b>` + (p.choices.length ? "" : "<br>not run") + p.choices.slice(0, 6).map((a, k) =>
        `<br>${a.color >= 0 ? dot(colour(a.color)) : ""}${escape(a.name)}: ${(a.cost.value ?? null) === null ? "–" : show(a.cost.value, m.unit(p))}${between(a.cost.low ?? null, a.cost.high ?? null, m.unit(p))}` +
        (k > 0 && a.ratio.value ? `, ${factor(a.ratio.value)}${(a.ratio.low ?? null) === null ? "" : ` (${factor(a.ratio.low)} to ${factor(a.ratio.high ?? Infinity)})`}` : "") +
        (a.runs > 1 ? ` <small>${a.arrived} of ${a.runs} arrived</small>` : a.e && a.e[4] ? ` <small>${escape(a.e[4])}</small>` : "")).join(""); }});
    const none = m.cells.filter(p => !there(p)), censored = best ? [] : m.cells.filter(p => valued(p) && p.choices[0].e[4]);
    note("map", [none.length > 0 && `${none.length} of ${m.cells.length} cells have no value: ${[...new Set(none.map(lacks))].join("; ")}.`,
      censored.length > 0 && `An asterisk: ${[...new Set(censored.map(p => p.choices[0].e[4]))].join("; ")}.`]);
    const legend = {...out.legend, show: best && won.length > 0, selectedMode: false, data: won.map(w => w[0])}; // the legend names colours with empty series
    return {...out, legend, grid: {...out.grid, top: 52},
      xAxis: category(m.x.name, m.x.values, Math.max(3, Math.floor(room / 7))), yAxis: {...upward(category(m.y.name, m.y.values, label)), inverse: true, nameLocation: "start"},
      visualMap: {type: "continuous", dimension: 2, seriesIndex: best ? [] : 0, min: least, max: most > least ? most : least + 1, orient: "horizontal", left: 0, top: 0, itemHeight: Math.min(220, at.clientWidth - 230), itemWidth: 14,
        calculable: true, inRange: {color: viridis}, textStyle: letters(12), show: !best && vs.length > 0, formatter: v => show(log ? 10 ** v : v, b.unit, 3)},
      series: [{type: "heatmap", name: what, progressive: 0, emphasis: {itemStyle: {borderColor: css("--ink"), borderWidth: 2}}, itemStyle: {borderColor: css("--paper"), borderWidth: 1},
        label: {show: fits, fontSize: 12, lineHeight: 15, ...best ? {} : {width: room - 6, overflow: "truncate"}},
        data: m.cells.map(p => there(p)
          ? {value: [p.x, p.y, best ? 0 : scaled(p.choices[0].cost.value)], ...best ? {visualMap: false, itemStyle: {color: fill(p), ...p.best > 1 ? {decal: {symbol: "rect", color: css("--paper"), dashArrayX: [1, 0], dashArrayY: [1.5, 6], rotation: -Math.PI / 4}} : {}}} : {},
            label: {color: inked(p) ? "#fff" : "#000", formatter: lines(p).filter(Boolean).slice(0, rows > 12 ? 1 : 2).join("\n"), ...p.best > 1 && best ? {backgroundColor: fill(p), padding: 2} : {}}}
          : {value: [p.x, p.y, least], visualMap: false, itemStyle: {color: css("--panel"), borderColor: css("--rule")}, label: {formatter: lines(p)[0], color: css("--bad")}})},
      ...(best ? won.map(([name, k]) => ({type: "scatter", id: "won " + name, name, color: colour(k), itemStyle: {color: colour(k), opacity: 1}, symbol: "roundRect", data: []})) : [])]};
  }, () => { const m = current(); return [["x", "y", "choice", "cost", "ratio", "best"], ...m.cells.flatMap(p => p.choices.map((a, k) => [m.x.values[p.x], m.y.values[p.y], a.name, a.cost.value, a.ratio.value, k < p.best]))]; });
}
