// Outcomes over the grid.

const at = (method, point) => groups.find(g => g.method === method && g.point.every((v, a) => v === point[a]));
const missing = (g, e) => !g ? "not run" : e && e[4] ? e[4] : g.status;

// firstOutcome returns the initial outcome: the headline's, or the time to the first target.
const firstOutcome = () => {
  if (data.open && data.open.outcome >= 0) return String(data.open.outcome);
  const i = data.outcomes.findIndex(o => o.unit === "seconds" && o.target);
  return String(Math.max(0, i >= 0 ? i : data.outcomes.findIndex(o => o.unit === "seconds")));
};

const mostLines = 12;

function linesOverGrid() {
  const c = form("parameter", name => { if (name === "x" || name.startsWith("axis")) offer(c, fits); if (!name.startsWith("log")) scales(name); });
  const x = () => +c.x.value;
  const fits = (g, but) => axes.every(a => a === x() || a === but || c["axis" + a].value === "" || g.point[a] === +c["axis" + a].value) && g.point[x()] >= 0;
  c.outcome.value = firstOutcome();
  const varied = axes.filter(a => data.axes[a].values.length > 1);
  c.x.value = String(data.open && data.open.axis >= 0 ? data.open.axis : varied.find(a => data.axes[a].numbers) ?? varied[0] ?? 0);
  // The view shows all settings of the other axes while they can be distinguished, and otherwise one.
  const free = axes.filter(a => a !== x()), first = groups.find(g => g.point[x()] >= 0) || groups[0];
  let lines = data.methods.length;
  for (const a of free) {
    lines *= data.axes[a].values.length;
    c["axis" + a].value = lines <= mostLines ? "" : String(Math.max(0, first.point[a]));
  }
  offer(c, fits);

  // all returns the shown lines: a method with a setting of the free axes.
  function all() {
    const lines = new Map();
    for (const g of groups) {
      if (!fits(g, -1)) continue;
      const rest = g.point.map((v, a) => a === x() ? -1 : v), id = g.method + ":" + rest;
      if (!lines.has(id)) lines.set(id, {method: g.method, rest, points: []});
      lines.get(id).points.push({v: g.point[x()], g, e: g.values[+c.outcome.value]});
    }
    return [...lines.values()];
  }
  const numbers = () => data.axes[x()].numbers;
  function scales(name) {
    const ns = numbers();
    c.logx.disabled = !ns || Math.min(...ns) <= 0;
    if (name !== "outcome") c.logx.checked = !c.logx.disabled && Math.max(...ns) >= 10 * Math.min(...ns);
    c.logy.checked = spread(all().flatMap(l => l.points.map(p => p.e && p.e[0])).filter(v => v !== null && v !== undefined));
  }
  scales("x");

  add("parameter", () => {
    const a = x(), ax = data.axes[a], o = data.outcomes[+c.outcome.value], ns = numbers(), logx = c.logx.checked, logy = c.logy.checked;
    axes.forEach(b => hide(c["axis" + b], b === a));
    const lines = all(), rests = [...new Set(lines.map(l => l.rest.join()))], open = axes.filter(b => b !== a && c["axis" + b].value === "" && new Set(lines.map(l => l.rest[b])).size > 1);
    const px = v => ns ? ns[v] : v, fitting = v => v !== null && v !== undefined && (!logy || v > 0);
    const values = lines.flatMap(l => l.points.flatMap(p => p.e ? p.e.slice(0, 3) : []));
    const yscale = scale(values, logy), series = [], extra = [], none = [], censored = [];
    let intervals = false;
    // Lines are side by side at each category, as far as there is room.
    const step = Math.min(14, 0.8 * (byId("parameter").clientWidth - 90) / (ax.values.length * lines.length)), beside = n => ns ? 0 : (n - (lines.length - 1) / 2) * step;
    lines.forEach((l, n) => {
      const k = look(l.method, rests.indexOf(l.rest.join()), new Set(lines.map(o => o.method)).size, rests.length), name = nameOf({method: l.method, point: l.rest}, open);
      l.name = name; l.color = k.color;
      const points = l.points.sort((p, q) => px(p.v) - px(q.v));
      for (const {v, g, e} of points) {
        if (!e || e[0] === null) none.push(`${name} at ${ax.values[v]} (${missing(g, e)})`);
        else if (e[4]) censored.push(`${name} at ${ax.values[v]} (${e[4]})`);
      }
      const s = line(k, 2);
      if (!ns) s.lineStyle = {...s.lineStyle, width: 0, opacity: 0}; // there is nothing between categories
      series.push({...s, id: "line " + n, name, symbolSize: 9, symbolOffset: [beside(n), 0], data: points.map((p, i) => ({value: [px(p.v), p.e && fitting(p.e[0]) ? p.e[0] : null, i]}))});
      const rows = points.map(p => p.e && p.e[1] !== null && p.e[2] !== null && fitting(p.e[0]) ? [px(p.v), p.e[1], p.e[2]] : [px(p.v), null, null]);
      if (!rows.some(r => r[1] !== null)) return;
      intervals = true;
      extra.push(ns ? band("band " + n, name, k.color, rows, yscale) : whiskers("whiskers " + n, name, k.color, rows.filter(r => r[1] !== null), yscale, beside(n)));
    });
    series.push(...extra);
    const some = (words, what) => words.length > 0 && `${what}: ${words.slice(0, 12).join("; ")}${words.length > 12 ? `; and ${words.length - 12} more` : ""}.`;
    note("parameter", [intervals && `The ${ns ? "bands" : "whiskers"} are ${data.level ? 100 * data.level + "% " : ""}intervals.`, some(none, "No value"), some(censored, "Censored")]);
    const out = base(`${o.name} over ${ax.name}, a line for each of ${lines.map(l => l.name).slice(0, 12).join("; ")}.`);
    out.caption = `${o.name} over ${ax.name}${settings(c, [a])}.`;
    Object.assign(out.tooltip, {trigger: "item", formatter: p => {
      const l = lines[+p.seriesId.slice(5)], q = l && l.points[p.value[2]];
      return q ? `<b>${escape(ax.settings[q.v])}</b><br>${dot(l.color)}${escape(short(l.name, 60))}: ` + (q.e && q.e[0] !== null ? inWords(q.e, o.unit) : escape(missing(q.g, q.e))) : "";
    }});
    const labels = {...axis(ax.name, "number", logx)};
    if (ns) {
      const inOrder = [...ns].sort((p, q) => p - q), text = new Map(ns.map((v, i) => [v, ax.values[i]]));
      const exact = {customValues: inOrder};
      const room = logx ? (inOrder.at(-1) / inOrder[0]) ** 0.03 : 0.03 * (inOrder.at(-1) - inOrder[0]);
      Object.assign(labels, {axisTick: exact, axisLabel: {...labels.axisLabel, ...exact, formatter: v => short(text.get(v) || "", 16)},
        splitLine: {show: false}, min: logx ? inOrder[0] / room : inOrder[0] - room, max: logx ? inOrder.at(-1) * room : inOrder.at(-1) + room});
    }
    return {...out, xAxis: ns ? labels : category(ax.name, ax.values, 16), yAxis: ranged(upward(axis(o.name, o.unit, logy)), yscale), series};
  });
}

// between returns an interval in brackets, or nothing if there is none or its ends read the same.
const between = (low, high, unit) => low === null && high === null || show(low, unit) === show(high, unit) ? "" : low === null ? ` (${show(high, unit)} or less)` : high === null ? ` (${show(low, unit)} or more)` : ` (${show(low, unit)} to ${show(high, unit)})`;

// inWords returns an estimate in words.
const inWords = (e, unit) => show(e[0], unit) + between(e[1], e[2], unit) +
  ` <small>of ${e[3]} run${e[3] === 1 ? "" : "s"}${e[4] ? ", " + escape(e[4]) : ""}</small>`;

function heat() {
  const c = form("heat", name => {
    if (name === "x" && c.y.value === c.x.value) c.y.value = String(axes.find(a => a !== +c.x.value));
    if (name === "y" && c.y.value === c.x.value) c.x.value = String(axes.find(a => a !== +c.y.value));
    if (name !== "log") { offer(c, fits); scale(); }
  });
  const shown = a => a === +c.x.value || a === +c.y.value;
  const best = () => c.method.value === "best";
  const fits = (g, but) => (best() || g.method === +c.method.value) && axes.every(a => shown(a) || a === but || g.point[a] === +c["axis" + a].value);
  c.outcome.value = firstOutcome();
  // The default is the two axes with the most combinations that ran.
  let most = -1;
  for (const a of axes) for (const b of axes) {
    if (a === b) continue;
    const ran = new Set(groups.filter(g => g.point[a] >= 0 && g.point[b] >= 0).map(g => g.point[a] + "," + g.point[b])).size, all = data.axes[a].values.length * data.axes[b].values.length;
    const worth = ran / all * Math.min(ran, 400) + (a < b ? 0.01 : 0);
    if (worth > most) { most = worth; c.x.value = String(a); c.y.value = String(b); }
  }
  const open = groups.find(g => g.point.every(v => v >= 0)) || groups[0];
  axes.forEach(a => { c["axis" + a].value = String(Math.max(0, open.point[a])); });
  if (data.methods.length > 1) c.method.value = "best";
  offer(c, fits);
  function cells() {
    const [a, b] = [+c.x.value, +c.y.value], all = [];
    data.axes[a].values.forEach((_, i) => data.axes[b].values.forEach((_, j) => {
      const p = axes.map(k => k === a ? i : k === b ? j : +c["axis" + k].value);
      const here = best() ? winner(p) : {g: at(+c.method.value, p)};
      all.push({i, j, ...here, e: here.g && here.g.values[+c.outcome.value]});
    }));
    return all;
  }
  // winner returns the best method at a point, and whether another may be as good.
  function winner(p) {
    const o = data.outcomes[+c.outcome.value], of = data.methods.map((_, m) => at(m, p)).filter(Boolean);
    const have = of.filter(g => g.values[+c.outcome.value][0] !== null).sort((g, h) => (o.more ? -1 : 1) * (g.values[+c.outcome.value][0] - h.values[+c.outcome.value][0]));
    return {g: have[0] || of[0], tie: have.length > 1 && have[0].values[+c.outcome.value][0] === have[1].values[+c.outcome.value][0]};
  }
  const values = all => all.map(p => p.e && p.e[0]).filter(v => v !== null && v !== undefined);
  function scale() {
    const vs = values(cells());
    c.log.disabled = best() || !(vs.length && Math.min(...vs) > 0);
    c.log.checked = !c.log.disabled && spread(vs);
  }
  scale();

  add("heat", () => {
    const [ax, ay] = [data.axes[+c.x.value], data.axes[+c.y.value]], o = data.outcomes[+c.outcome.value], log = c.log.checked && !c.log.disabled;
    axes.forEach(a => hide(c["axis" + a], shown(a)));
    const all = cells(), vs = values(all), scaled = v => log ? Math.log10(v) : v;
    const roomy = all.length <= 80 && ax.values.length <= Math.max(3, byId("heat").clientWidth / 95);
    const of = best() ? "the best method" : data.methods[+c.method.value], name = q => best() && q.g ? data.methods[q.g.method] + (q.tie ? " (a tie)" : "") : "";
    const out = base(`${o.name} of ${of}, ${ax.name} across, ${ay.name} up; ` +
      all.slice(0, 30).map(p => `${ax.values[p.i]}, ${ay.values[p.j]}: ${p.e && p.e[0] !== null ? name(p) + " " + show(p.e[0], o.unit) : missing(p.g, p.e)}`).join("; "));
    out.caption = `${o.name} of ${of}, ${ax.name} across, ${ay.name} up${settings(c, [+c.x.value, +c.y.value])}.`;
    const [least, most] = vs.length ? [scaled(Math.min(...vs)), scaled(Math.max(...vs))] : [0, 1];
    Object.assign(out.tooltip, {trigger: "item", formatter: p => { const q = all[p.dataIndex];
      return `${escape(ax.settings[q.i])}<br>${escape(ay.settings[q.j])}<br>${escape(name(q))} <b>` +
        (q.e && q.e[0] !== null ? `${inWords(q.e, o.unit)}</b>` : `${escape(missing(q.g, q.e))}</b>`); }});
    const none = all.filter(p => !p.e || p.e[0] === null), censored = all.filter(p => p.e && p.e[0] !== null && p.e[4]);
    note("heat", [none.length > 0 && `${none.length} of ${all.length} cells have no value: ${[...new Set(none.map(p => missing(p.g, p.e)))].join("; ")}.`,
      censored.length > 0 && `An asterisk: ${[...new Set(censored.map(p => p.e[4]))].join("; ")}.`]);
    const won = [...new Set(all.filter(p => p.e && p.e[0] !== null).map(p => p.g.method))], colour = m => css("--line-" + m % data.palette.colors.length);
    const dark = p => best() ? !isDark() && [0, 4].includes(p.g.method % data.palette.colors.length) : !(most > least && scaled(p.e[0]) > least + 0.5 * (most - least));
    const legend = {...out.legend, show: best(), selectedMode: false, data: won.map(m => data.methods[m])}; // the legend names colours with empty series
    return {...out, legend, grid: {...out.grid, top: 76},
      xAxis: category(ax.name, ax.values, 14), yAxis: upward(category(ay.name, ay.values, 14)),
      visualMap: best() ? {type: "piecewise", dimension: 2, seriesIndex: 0, show: false, pieces: won.map(m => ({value: m, color: colour(m)}))}
        : {type: "continuous", dimension: 2, seriesIndex: 0, min: least, max: most > least ? most : least + 1, orient: "horizontal", left: 0, top: 0, itemHeight: Math.min(220, byId("heat").clientWidth - 230), itemWidth: 14,
          calculable: true, inRange: {color: viridis}, textStyle: letters(12), show: vs.length > 0, formatter: v => show(log ? 10 ** v : v, o.unit, 3)},
      series: [{type: "heatmap", name: o.name, progressive: 0, emphasis: {itemStyle: {borderColor: css("--ink"), borderWidth: 2}}, itemStyle: {borderColor: css("--paper"), borderWidth: 1},
        label: {show: roomy, fontSize: 12, lineHeight: 15},
        data: all.map(p => p.e && p.e[0] !== null
          ? {value: [p.i, p.j, best() ? p.g.method : scaled(p.e[0])], label: {color: dark(p) ? "#fff" : "#000", formatter: (best() ? short(name(p), 14) + "\n" : "") + show(p.e[0], o.unit, 3) + (p.e[4] ? "*" : "")}}
          : {value: [p.i, p.j, least], visualMap: false, // ECharts does not draw a point without a number
            itemStyle: {color: css("--panel"), borderColor: css("--rule")},
            label: {formatter: short(missing(p.g, p.e), 18), color: css("--bad")}})},
      ...(best() ? won.map(m => ({type: "scatter", id: "won " + m, name: data.methods[m], color: colour(m), itemStyle: {color: colour(m), opacity: 1}, symbol: "roundRect", data: []})) : [])]};
  }, () => [["x", "y", "method", "value", "low", "high", "note"], ...cells().map(p => [data.axes[+c.x.value].values[p.i], data.axes[+c.y.value].values[p.j], p.g ? data.methods[p.g.method] : "", ...(p.e ? [p.e[0], p.e[1], p.e[2], p.e[4] || ""] : [null, null, null, "not run"])])]);
}
