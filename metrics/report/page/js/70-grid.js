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
    c.logy.checked = priced(all().flatMap(l => l.points.map(p => p.e && p.e[0])).filter(v => v !== null && v !== undefined), data.outcomes[+c.outcome.value]);
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
    const crossed = ns ? list(data.crossed).filter(k => k.axis === a && k.outcome === +c.outcome.value && axes.every(b => k.at[b] < 0 || c["axis" + b].value === "" || k.at[b] === +c["axis" + b].value) && k.value >= Math.min(...ns) && k.value <= Math.max(...ns)) : [];
    if (crossed.length && series.length) series[0].markLine = {silent: true, symbol: "none", precision: -1, lineStyle: {color: css("--faint"), type: "dashed"},
      label: {...letters(12), position: "insideEndTop", color: css("--faint"), textBorderColor: css("--paper"), textBorderWidth: 3, formatter: p => crossed[p.dataIndex].text}, data: crossed.map(k => ({xAxis: k.value}))};
    const some = (words, what) => words.length > 0 && `${what}: ${words.slice(0, 12).join("; ")}${words.length > 12 ? `; and ${words.length - 12} more` : ""}.`;
    note("parameter", [crossed.length > 0 && "Dashed: where the best choice changes.", intervals && `The ${ns ? "bands" : "whiskers"} are ${data.level ? 100 * data.level + "% " : ""}intervals.`, some(none, "No value"), some(censored, "Censored")]);
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
