// Makes the options of the charts from the page's data, and wires the controls to them.
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const list = a => a || []; // an empty list of Go is null

// ---- numbers and words

const prefixes = {
  bytes: [[1e18, "EB"], [1e15, "PB"], [1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]],
  joules: [[1e9, "GJ"], [1e6, "MJ"], [1e3, "kJ"], [1, "J"], [1e-3, "mJ"], [1e-6, "µJ"], [1e-9, "nJ"], [1e-12, "pJ"]],
  seconds: [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]],
};

// show writes a number for people, as "1.23 MB", "4.5 ms", "12,345", "2.5e-4".
function show(x, unit, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  const table = prefixes[unit];
  if (table && x !== 0) {
    const [size, name] = table.find(([size]) => Math.abs(x) >= size * (1 - 1e-9)) || table[table.length - 1];
    return plain(x / size, digits) + "\u00a0" + name;
  }
  return plain(x, digits);
}

function plain(x, digits) {
  const abs = Math.abs(x);
  if (abs !== 0 && (abs < 1e-3 || abs >= 1e9)) return x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  if (Number.isInteger(x) || abs >= 10 ** digits) return Math.round(x).toLocaleString("en");
  return String(Number(x.toPrecision(digits)));
}

const escape = echarts.format.encodeHTML;
const short = (text, most = 34) => text.length > most ? text.slice(0, most - 1) + "…" : text;

// ---- columns

// column unpacks a column of n numbers: an array, or one number for all.
const column = (c, n) => Array.isArray(c) ? c : Array(n).fill(c);

// cost unpacks a cost of a curve, which may be proportional to the iterations.
const cost = (curve, i) => {
  const c = curve.costs[i];
  if (c && !Array.isArray(c) && typeof c === "object") return curve.iterations.map(k => c.from + c.per * k);
  return column(c, curve.iterations.length);
};
const value = (columns, curve, i) => column(columns[i], curve.iterations.length);

// ---- looks

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const dashes = ["solid", [8, 3], [2, 2], [9, 3, 2, 3], [4, 3], [9, 2, 2, 2, 2, 2]];
const symbols = ["circle", "hollow rect", "triangle", "hollow diamond", "hollow circle", "rect", "hollow triangle", "diamond"];
const cross = "path://M0,0L10,10M10,0L0,10";
// Viridis (van der Walt and Smith), which grows lighter evenly, so that it survives greyscale.
const viridis = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];

// look is how a curve looks: colours and markers tell methods apart, dashes points of the
// grid, where several are shown.
function look(method, point, points) {
  return {color: css("--line-" + method % 7), dash: dashes[(points > 1 ? point : method) % dashes.length],
    symbol: symbols[(points > 1 ? method + point : method) % symbols.length]};
}

// line is a series of that look.
function line(l, width) {
  const hollow = l.symbol.startsWith("hollow ");
  return {type: "line", color: l.color, symbol: l.symbol.replace("hollow ", ""), showSymbol: true, emphasis: {disabled: true},
    itemStyle: {color: hollow ? css("--paper") : l.color, borderColor: l.color, borderWidth: 2}, lineStyle: {color: l.color, type: l.dash, width}};
}

// dot is a spot of colour before a name in a tip.
const dot = color => `<span style="display:inline-block;width:0.7em;height:0.7em;border-radius:50%;margin-right:0.4em;background:${color}"></span>`;

const base = description => ({
  animation: false, backgroundColor: "transparent",
  textStyle: {color: css("--ink"), fontFamily: getComputedStyle(document.body).fontFamily},
  aria: {enabled: true, label: {description}},
  grid: {left: 8, right: 24, top: 58, bottom: 12, outerBoundsMode: "same", outerBoundsContain: "all"},
  legend: {type: "scroll", top: 0, left: 0, right: 0, itemWidth: 38, itemHeight: 14, textStyle: {color: css("--ink")},
    pageTextStyle: {color: css("--ink")}, pageIconColor: css("--ink"), pageIconInactiveColor: css("--rule"),
    inactiveColor: css("--faint"), formatter: name => short(name), tooltip: {show: true, formatter: p => escape(p.name)}},
  tooltip: {confine: true, backgroundColor: css("--paper"), borderColor: css("--faint"), textStyle: {color: css("--ink"), fontSize: 13},
    extraCssText: "max-width:min(34rem,90vw);white-space:normal;overflow-wrap:anywhere"},
  toolbox: {show: !printing, right: 20, top: 24, itemSize: 14, iconStyle: {borderColor: css("--faint")}, feature: {saveAsImage: {backgroundColor: css("--paper")}}},
});

// axis is an axis of numbers with its name below it; upward puts the name above it.
const axis = (name, unit, log) => ({
  type: log ? "log" : "value", name: short(name, 36), nameLocation: "middle", nameGap: 28, scale: true, splitNumber: log ? 8 : 5,
  nameTextStyle: {color: css("--ink"), fontSize: 13}, axisLine: {show: true, lineStyle: {color: css("--faint")}},
  axisLabel: {color: css("--ink"), hideOverlap: true, formatter: v => show(v, unit, 3)},
  splitLine: {lineStyle: {color: css("--rule")}}, minorSplitLine: {show: false},
});

// decades lets a logarithmic axis begin and end at powers of ten, with some seven labels.
function decades(values, log) {
  if (!log || !values.length) return {};
  let [least, most] = [Infinity, 0];
  for (const v of values) { least = Math.min(least, v); most = Math.max(most, v); }
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  if (to - from < 2) return {};
  const step = Math.ceil((to - from) / 7);
  return {min: 10 ** from, max: 10 ** (from + step * Math.ceil((to - from) / step)), interval: step};
}
const upward = a => ({...a, nameLocation: "end", nameGap: 10, nameTextStyle: {...a.nameTextStyle, align: "left", padding: [0, 0, 0, -30]}});
const category = (name, values, most) => ({...axis(name), type: "category", data: values,
  axisLabel: {color: css("--ink"), hideOverlap: true, formatter: v => short(v, most)}, splitLine: {show: false}});
const zoom = {dataZoom: {title: {zoom: "zoom into a box", back: "zoom out"}}, restore: {title: "whole picture"}};

// ---- charts, which are drawn when they come into view

const charts = new Map(); // id -> {element, option, instance}

function add(id, option) {
  const element = byId(id);
  if (!element) return;
  charts.set(id, {element, option, instance: null});
  seen.observe(element);
  sized.observe(element);
}

function draw(chart) {
  if (!chart.instance) {
    chart.instance = echarts.init(chart.element, null, {renderer: "svg"});
    seen.unobserve(chart.element);
  }
  chart.instance.setOption(chart.option(), {notMerge: true});
}

// redraw draws again what is on the page already.
const redraw = id => { const chart = charts.get(id); if (chart && chart.instance) draw(chart); };
const redrawAll = () => charts.forEach((_, id) => redraw(id));
const chartOf = element => [...charts.values()].find(c => c.element === element);

const seen = new IntersectionObserver(entries => {
  for (const e of entries) if (e.isIntersecting && !chartOf(e.target).instance) draw(chartOf(e.target));
}, {rootMargin: "300px"});
const sized = new ResizeObserver(entries => {
  for (const e of entries) {
    const c = chartOf(e.target);
    if (c.instance && !printing && e.contentRect.width > 0) c.instance.resize(); // a hidden chart keeps its size
  }
});

// ---- theme and paper

const dark = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

function setTheme() {
  const chosen = byId("theme").value || (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = printing ? "light" : chosen;
  redrawAll();
}

addEventListener("beforeprint", () => {
  printing = true;
  document.documentElement.dataset.theme = "light";
  for (const c of charts.values()) {
    draw(c);
    c.instance.resize(c.element.classList.contains("square") ? {width: 450, height: 450} : {width: 680, height: 355});
    c.instance.getZr().flush(); // the paper does not wait for the next frame
  }
});
addEventListener("afterprint", () => {
  printing = false;
  setTheme();
  for (const c of charts.values()) if (c.instance) c.instance.resize({width: "auto", height: "auto"});
});

// ---- controls

// form returns the controls with an id's name, all of which draw its chart again.
function form(id, changed) {
  const f = byId(id + "-controls");
  f.addEventListener("submit", e => e.preventDefault());
  f.addEventListener("change", e => { if (changed) changed(e.target.name); redraw(id); });
  return f.elements;
}

// note says below a chart what it does not show by itself.
const note = (id, sentences) => { byId(id + "-note").textContent = sentences.filter(Boolean).join(" "); };

const hide = (control, hidden) => { control.parentElement.style.display = hidden ? "none" : ""; };

// nameOf names a group by its method, and by those of the axes that differ in the chart.
const nameOf = (g, axes) => [data.methods[g.method], ...axes.filter(a => g.point[a] >= 0)
  .map(a => data.axes[a].name.split(".").pop() + " = " + data.axes[a].values[g.point[a]])].join(", ");
const axes = list(data.axes).map((_, i) => i);
const groups = list(data.groups);
groups.forEach(g => { g.point = list(g.point); g.values = list(g.values); });

// ---- convergence

const mostCurves = 48;

function curves() {
  const c = form("curves", name => { if (name === "x" || name === "y" || name.startsWith("axis") || name === "seeds") scales(); });
  const means = new Map(list(data.means).map(m => [m.group, m]));
  const runs = new Map();
  for (const r of list(data.runs)) runs.set(r.group, [...runs.get(r.group) || [], r]);

  // Many curves at once cannot be told apart: then one point of the grid is shown at first.
  if (groups.length > 8) axes.forEach(a => { c["axis" + a].value = "0"; });
  const first = test => data.metrics.findIndex(test);
  const main = list(data.targets).length ? [data.targets[0].metric] : [first(m => m.name === "grad_norm2"), first(m => m.headline)];
  c.y.value = String(main.find(i => i >= 0) ?? 0);

  const chosen = () => groups.map((_, i) => i).filter(i => axes.every(a => c["axis" + a].value === "" || groups[i].point[a] === +c["axis" + a].value));

  // lines are the curves to be drawn: the median of a group or its runs, and runs that failed.
  function lines() {
    const each = !c.seeds || c.seeds.value === "each";
    const free = axes.filter(a => c["axis" + a].value === "");
    const shown = chosen();
    const points = [...new Set(shown.map(i => groups[i].point.join()))];
    const all = [];
    for (const i of shown) {
      const g = groups[i], mean = each ? null : means.get(i);
      const common = {name: nameOf(g, free), look: look(g.method, points.indexOf(g.point.join()), points.length)};
      if (mean) all.push({...common, curve: mean.curve, low: mean.low, high: mean.high, of: `median of ${mean.runs} seeds`});
      for (const r of runs.get(i) || []) if (!mean || r.failed) all.push({...common, curve: r.curve, failed: r.failed, of: `seed ${r.seed}` + (r.failed ? ` (${r.failed})` : "")});
    }
    return all.filter(l => list(l.curve.values)[+c.y.value]);
  }

  // scales chooses logarithmic axes where they show more.
  function scales() {
    const all = lines(), m = data.metrics[+c.y.value];
    const ys = all.flatMap(l => value(l.curve.values, l.curve, +c.y.value)).filter(v => v !== null);
    c.logy.checked = !m.more && m.name !== "objective" && ys.length > 0 && ys.filter(v => v > 0).length > 0.9 * ys.length && !ys.some(v => v < 0);
    const ends = all.map(l => cost(l.curve, +c.x.value).at(-1)).filter(v => v > 0);
    c.logx.checked = c.x.value !== "0" && ends.length > 1 && Math.max(...ends) > 10 * Math.min(...ends);
  }
  scales();

  add("curves", () => {
    const x = data.costs[+c.x.value], y = data.metrics[+c.y.value], logx = c.logx.checked, logy = c.logy.checked;
    const all = lines(), drawn = all.slice(0, mostCurves);
    let dropped = 0;
    const series = [];
    drawn.forEach((l, n) => {
      const xs = cost(l.curve, +c.x.value), ys = value(l.curve.values, l.curve, +c.y.value);
      const low = l.low && l.low[+c.y.value] !== null && value(l.low, l.curve, +c.y.value), high = low && value(l.high, l.curve, +c.y.value);
      const rows = xs.map((_, i) => i).filter(i => {
        const ok = ys[i] !== null && (!logx || xs[i] > 0) && (!logy || ys[i] > 0);
        if (!ok && ys[i] !== null && i > 0) dropped++;
        return ok;
      });
      const points = rows.map(i => ({value: [xs[i], ys[i], l.curve.iterations[i], low ? low[i] : null, high ? high[i] : null]}));
      const marked = markers(rows.map(i => xs[i]), logx, n);
      points.forEach((p, i) => { if (!marked.has(i)) p.symbol = "none"; });
      if (l.failed && points.length) {
        Object.assign(points[points.length - 1], {symbol: cross, symbolSize: 11, itemStyle: {color: css("--bad"), borderColor: css("--bad"), borderWidth: 2},
          label: {show: true, formatter: l.failed, position: "top", color: css("--bad")}});
      }
      series.push({...line(l.look, l.failed ? 1.2 : 2), id: "curve " + n, name: l.name, data: points, symbolSize: 8});
      if (!low || !points.length) return;
      const band = {type: "line", name: l.name, stack: "band " + n, stackStrategy: "all", symbol: "none", lineStyle: {width: 0}, color: l.look.color,
        silent: true, emphasis: {disabled: true}, tooltip: {show: false}};
      const inside = rows.filter(i => !logy || low[i] > 0);
      series.push({...band, id: "low " + n, data: inside.map(i => [xs[i], low[i]])},
        {...band, id: "high " + n, data: inside.map(i => [xs[i], high[i] - low[i]]), areaStyle: {color: l.look.color, opacity: 0.18}});
    });
    const wanted = list(data.targets).filter(t => t.metric === +c.y.value && (!logy || t.value > 0));
    if (series.length && wanted.length) {
      series[0].markLine = {silent: true, symbol: "none", precision: -1, // as it is; 5e-5 is not 0
        lineStyle: {color: css("--faint"), type: "dashed"},
        label: {position: "insideStartTop", color: css("--faint"), formatter: p => "target " + show(p.value)}, data: wanted.map(t => ({yAxis: t.value}))};
    }
    const failed = drawn.filter(l => l.failed);
    note("curves", [
      all.length > drawn.length && `Of ${all.length} curves the first ${drawn.length} are shown; choose fewer points of the grid to see others.`,
      drawn.some(l => l.low) && "A line is the median over the seeds, and the band reaches from the lower to the upper quartile. Runs that ended earlier, at their target, say, are carried on with their last value.",
      failed.length > 0 && `${failed.length} run${failed.length > 1 ? "s" : ""} did not end well: thin, with a cross at the end, and in no median.`,
      dropped > 0 && `${dropped} points that are not positive have no place on a logarithmic axis.`,
    ]);
    const o = base(`${y.title || y.name} over ${x.name}: ${drawn.length} curves, of ${[...new Set(drawn.map(l => l.name))].slice(0, 8).join("; ")}.`);
    Object.assign(o.toolbox.feature, zoom);
    Object.assign(o.tooltip, {trigger: "axis", axisPointer: {type: "line", lineStyle: {color: css("--faint")}}, formatter: ps => {
      const rows = ps.filter(p => p.seriesId.startsWith("curve")).sort((a, b) => b.value[1] - a.value[1]);
      const text = rows.slice(0, 12).map(p => {
        const [px, py, k, low, high] = p.value;
        return `${dot(drawn[+p.seriesId.slice(6)].look.color)}<b>${escape(short(p.seriesName, 60))}</b>: ${show(py)}` + (low !== null && low !== high ? ` (${show(low)} to ${show(high)})` : "") +
          `<br><small>${escape(drawn[+p.seriesId.slice(6)].of)}, ${show(px, x.unit)}${x.unit === "count" ? " " + x.name : ""}${x.name === "iterations" ? "" : `, iteration ${show(k)}`}</small>`;
      });
      return text.join("<br>") + (rows.length > 12 ? `<br>and ${rows.length - 12} more` : "");
    }});
    const values = d => series.filter(s => s.id.startsWith("curve")).flatMap(s => s.data.map(p => p.value[d]));
    return {...o, xAxis: {...axis(x.name, x.unit, logx), ...decades(values(0), logx)},
      yAxis: {...upward(axis(y.title || y.name, "number", logy)), ...decades([...values(1), ...values(3).filter(v => v > 0)], logy)}, series};
  });
}

// markers chooses about eight points along x for markers, at other places for each curve.
function markers(xs, log, n) {
  const at = xs.map(v => log ? Math.log(v) : v), chosen = new Set();
  if (xs.length <= 12) return new Set(xs.keys());
  const gap = (at.at(-1) - at[0]) / 8;
  let next = at[0] + gap * (0.2 + n * 0.37 % 0.8);
  at.forEach((v, i) => { if (v >= next) { chosen.add(i); next = v + gap; } });
  return chosen;
}

// ---- outcomes over the grid

const at = (method, point) => groups.find(g => g.method === method && g.point.every((v, a) => v === point[a]));
const missing = (g, e) => !g ? "not run" : e && e[4] ? e[4] : g.status;

// firstOutcome is what is shown at first: the time to the first target, if any.
const firstOutcome = () => {
  const i = data.outcomes.findIndex(o => o.unit === "seconds" && o.target);
  return String(Math.max(0, i >= 0 ? i : data.outcomes.findIndex(o => o.unit === "seconds")));
};

function linesOverGrid() {
  const c = form("lines", name => { if (name !== "logx" && name !== "logy") scales(name); });
  c.outcome.value = firstOutcome();
  const fixed = () => axes.map(a => a === +c.x.value ? -1 : +c["axis" + a].value);
  const along = m => {
    const a = +c.x.value;
    return data.axes[a].values.map((_, v) => { const p = fixed(); p[a] = v; const g = at(m, p); return {g, e: g && g.values[+c.outcome.value]}; });
  };
  const numbers = () => data.axes[+c.x.value].numbers;
  function scales(name) {
    const ns = numbers();
    c.logx.disabled = !ns || Math.min(...ns) <= 0;
    if (name !== "outcome") c.logx.checked = !c.logx.disabled && Math.max(...ns) >= 10 * Math.min(...ns);
    const ys = data.methods.flatMap((_, m) => along(m).map(p => p.e && p.e[0])).filter(v => v !== null && v !== undefined);
    c.logy.checked = ys.length > 0 && Math.min(...ys) > 0 && Math.max(...ys) > 10 * Math.min(...ys);
  }
  scales("x");

  add("lines", () => {
    const a = +c.x.value, ax = data.axes[a], o = data.outcomes[+c.outcome.value], ns = numbers(), logx = c.logx.checked, logy = c.logy.checked;
    axes.forEach(b => hide(c["axis" + b], b === a));
    const series = [], none = [], censored = [];
    let intervals = false;
    data.methods.forEach((name, m) => {
      const l = look(m, 0, 1), points = along(m);
      const px = i => ns ? ns[i] : i;
      const order = points.map((_, i) => i).sort((i, j) => px(i) - px(j));
      const fits = v => v !== null && v !== undefined && (!logy || v > 0);
      points.forEach(({g, e}, i) => {
        if (!g || !e || e[0] === null) none.push(`${name} at ${ax.values[i]} (${missing(g, e)})`);
        else if (e[4]) censored.push(`${name} at ${ax.values[i]} (${e[4]})`);
      });
      series.push({...line(l, 2), id: "line " + m, name, symbolSize: 9,
        data: order.map(i => ({value: [px(i), points[i].e && fits(points[i].e[0]) ? points[i].e[0] : null, i]}))});
      const band = {type: "line", name, stack: "band " + m, stackStrategy: "all", symbol: "none", lineStyle: {width: 0}, color: l.color, silent: true, emphasis: {disabled: true}};
      const has = i => { const e = points[i].e; return e && fits(e[1]) && e[2] !== null && fits(e[0]); };
      if (!order.some(has)) return;
      intervals = true;
      series.push({...band, id: "low " + m, data: order.map(i => [px(i), has(i) ? points[i].e[1] : null])},
        {...band, id: "high " + m, data: order.map(i => [px(i), has(i) ? points[i].e[2] - points[i].e[1] : null]), areaStyle: {color: l.color, opacity: 0.18}});
    });
    note("lines", [intervals && `The bands are ${data.level ? 100 * data.level + "% " : ""}intervals.`,
      none.length > 0 && `No value: ${none.slice(0, 12).join("; ")}${none.length > 12 ? `; and ${none.length - 12} more` : ""}.`,
      censored.length > 0 && `Censored: ${censored.slice(0, 12).join("; ")}${censored.length > 12 ? `; and ${censored.length - 12} more` : ""}.`]);
    const out = base(`${o.name} over ${ax.name}, a line for each of ${data.methods.join("; ")}.`);
    Object.assign(out.tooltip, {trigger: "axis", formatter: ps => {
      const rows = ps.filter(p => p.seriesId.startsWith("line"));
      if (!rows.length) return "";
      return `<b>${escape(ax.name)} = ${escape(ax.values[rows[0].value[2]])}</b><br>` + rows.map(p => {
        const {g, e} = along(+p.seriesId.slice(5))[p.value[2]];
        return `${dot(look(+p.seriesId.slice(5), 0, 1).color)}${escape(short(p.seriesName, 60))}: ` + (e && e[0] !== null ? told(e, o.unit) : escape(missing(g, e)));
      }).join("<br>");
    }});
    const labels = {...axis(ax.name, "number", logx)};
    if (ns) {
      const inOrder = [...ns].sort((p, q) => p - q), text = new Map(ns.map((v, i) => [v, ax.values[i]]));
      const exact = {customValues: inOrder};
      Object.assign(labels, {axisTick: exact, axisLabel: {...labels.axisLabel, ...exact, formatter: v => short(text.get(v) || "", 16)},
        splitLine: {show: false}, min: inOrder[0], max: inOrder.at(-1)});
    }
    return {...out, xAxis: ns ? labels : category(ax.name, ax.values, 16), yAxis: upward(axis(o.name, o.unit, logy)), series};
  });
}

// told is an estimate in words.
const told = (e, unit) => show(e[0], unit) + (e[1] !== null && e[2] !== null ? ` (${show(e[1], unit)} to ${show(e[2], unit)})` : "") +
  ` <small>of ${e[3]} run${e[3] === 1 ? "" : "s"}${e[4] ? ", " + escape(e[4]) : ""}</small>`;

function heat() {
  const c = form("heat", name => { if (name === "x" && c.y.value === c.x.value) c.y.value = String(axes.find(a => a !== +c.x.value));
    if (name === "y" && c.y.value === c.x.value) c.x.value = String(axes.find(a => a !== +c.y.value)); if (name !== "log") scale(); });
  c.outcome.value = firstOutcome();
  c.x.value = "0";
  c.y.value = "1";
  function cells() {
    const [a, b] = [+c.x.value, +c.y.value], all = [];
    data.axes[a].values.forEach((_, i) => data.axes[b].values.forEach((_, j) => {
      const p = axes.map(k => k === a ? i : k === b ? j : +c["axis" + k].value), g = at(+c.method.value, p);
      all.push({i, j, g, e: g && g.values[+c.outcome.value]});
    }));
    return all;
  }
  const values = all => all.map(p => p.e && p.e[0]).filter(v => v !== null && v !== undefined);
  function scale() {
    const vs = values(cells());
    c.log.disabled = !(vs.length && Math.min(...vs) > 0);
    c.log.checked = !c.log.disabled && Math.max(...vs) > 10 * Math.min(...vs);
  }
  scale();

  add("heat", () => {
    const [ax, ay] = [data.axes[+c.x.value], data.axes[+c.y.value]], o = data.outcomes[+c.outcome.value], log = c.log.checked && !c.log.disabled;
    axes.forEach(a => hide(c["axis" + a], a === +c.x.value || a === +c.y.value));
    const all = cells(), vs = values(all), scaled = v => log ? Math.log10(v) : v;
    const roomy = all.length <= 80 && ax.values.length <= Math.max(3, byId("heat").clientWidth / 95);
    const out = base(`${o.name} of ${data.methods[+c.method.value]}, ${ax.name} across, ${ay.name} up; ` +
      all.slice(0, 30).map(p => `${ax.values[p.i]}, ${ay.values[p.j]}: ${p.e && p.e[0] !== null ? show(p.e[0], o.unit) : missing(p.g, p.e)}`).join("; "));
    const [least, most] = vs.length ? [scaled(Math.min(...vs)), scaled(Math.max(...vs))] : [0, 1];
    Object.assign(out.tooltip, {trigger: "item", formatter: p => { const q = all[p.dataIndex];
      return `${escape(ax.name)} = ${escape(ax.values[q.i])}<br>${escape(ay.name)} = ${escape(ay.values[q.j])}<br><b>` +
        (q.e && q.e[0] !== null ? `${told(q.e, o.unit)}</b>` : `${escape(missing(q.g, q.e))}</b>`); }});
    const none = all.filter(p => !p.e || p.e[0] === null), censored = all.filter(p => p.e && p.e[0] !== null && p.e[4]);
    note("heat", [none.length > 0 && `${none.length} of ${all.length} cells have no value: ${[...new Set(none.map(p => missing(p.g, p.e)))].join("; ")}.`,
      censored.length > 0 && `An asterisk: ${[...new Set(censored.map(p => p.e[4]))].join("; ")}.`]);
    return {...out, legend: {show: false}, grid: {...out.grid, top: 76},
      xAxis: category(ax.name, ax.values, 14), yAxis: upward(category(ay.name, ay.values, 14)),
      visualMap: {type: "continuous", dimension: 2, min: least, max: most > least ? most : least + 1, orient: "horizontal", left: 0, top: 0, itemHeight: Math.min(220, byId("heat").clientWidth - 230), itemWidth: 14,
        calculable: true, inRange: {color: viridis}, textStyle: {color: css("--ink")}, show: vs.length > 0, formatter: v => show(log ? 10 ** v : v, o.unit, 3)},
      series: [{type: "heatmap", progressive: 0, emphasis: {itemStyle: {borderColor: css("--ink"), borderWidth: 2}}, itemStyle: {borderColor: css("--paper"), borderWidth: 1},
        label: {show: roomy, fontSize: 12},
        data: all.map(p => p.e && p.e[0] !== null
          ? {value: [p.i, p.j, scaled(p.e[0])], label: {color: most > least && scaled(p.e[0]) > least + 0.5 * (most - least) ? "#000" : "#fff", formatter: show(p.e[0], o.unit, 3) + (p.e[4] ? "*" : "")}}
          : {value: [p.i, p.j, least], visualMap: false, // without a number it would not be drawn
            itemStyle: {color: css("--panel"), borderColor: css("--rule")},
            label: {formatter: short(missing(p.g, p.e), 18), color: css("--bad")}})}]};
  });
}

// ---- one run

function detail() {
  const details = list(data.details), graphs = list(data.graphs);
  const c = form("detail", () => { show1(); redraw("graph"); redraw("nodes"); redraw("phases"); });
  details.forEach((d, i) => c.detail.add(new Option(nameOf(groups[d.group], axes), i)));
  const chosen = () => details[+c.detail.value];

  const kinds = ["scalar", "vector", "matrix"];
  function show1() {
    byId("detail-note").textContent = chosen().title;
    const rows = list(chosen().phases);
    byId("ledger").replaceChildren(table("Ledger of the whole run", [["phase"], ["part"], ["kind"], ["shape"], ["messages", 1], ["elements sent", 1], ["elements received", 1], ["bytes", 1]],
      rows.map(p => [p.phase, p.part, p.kind, p.shape, p.messages, p.elements, p.wire, p.bytes])));
    sortable(byId("ledger"));
  }
  show1();

  add("graph", () => {
    const d = chosen(), g = graphs[d.graph];
    if (!g) return {title: {text: "no link carried anything", textStyle: {color: css("--faint"), fontSize: 14}, left: "center", top: "middle"}};
    const n = Array.isArray(g.x) ? g.x.length : Array.isArray(g.y) ? g.y.length : 1, edges = list(g.edges), m = edges.length;
    const xs = column(g.x, n), ys = column(g.y, n).map(v => -v);
    const there = column(d.there.bytes, m), back = column(d.back.bytes, m), busyThere = column(d.there.busy, m), busyBack = column(d.back.busy, m);
    const sums = edges.map((_, e) => (there[e] || 0) + (back[e] || 0)), most = Math.max(...sums), least = Math.min(...sums);
    // Both axes span the same, so that circles are round.
    const mid = v => (Math.min(...v) + Math.max(...v)) / 2, reach = 0.55 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 1e-9);
    const hidden = v => ({type: "value", show: false, min: mid(v) - reach, max: mid(v) + reach});
    const labels = n <= 64, widest = Math.max(1.5, Math.min(5, 40 / Math.sqrt(m)));
    const out = base(`The graph: ${n} nodes, ${m} edges, which carried ${show(least, "bytes")} to ${show(most, "bytes")}.`);
    Object.assign(out.tooltip, {trigger: "item", formatter: p => {
      if (p.seriesId === "vertices") return `node ${p.dataIndex}`;
      const [a, b] = edges[p.dataIndex], way = (i, j, bytes, busy) => bytes === null ? "" : `<br>${i} → ${j}: ${show(bytes, "bytes")}, at work for ${show(busy, "seconds")}`;
      return `<b>link ${a} – ${b}</b>` + way(a, b, there[p.dataIndex], busyThere[p.dataIndex]) + way(b, a, back[p.dataIndex], busyBack[p.dataIndex]);
    }});
    return {...out, legend: {show: false}, grid: {left: 8, right: 8, top: 48, bottom: 8, outerBoundsMode: "none"}, xAxis: hidden(xs), yAxis: hidden(ys),
      visualMap: {type: "continuous", seriesIndex: 0, dimension: 0, min: 0, max: most || 1, orient: "horizontal", left: 0, top: 0, itemHeight: 150, itemWidth: 14,
        inRange: {color: isDark() ? viridis.slice(1) : viridis.slice(0, 5).reverse()}, text: [show(most, "bytes", 3), "0"], textStyle: {color: css("--ink")}},
      series: [
        {type: "lines", id: "links", progressive: 0, coordinateSystem: "cartesian2d", z: 2, data: edges.map(([a, b], e) => ({coords: [[xs[a], ys[a]], [xs[b], ys[b]]], value: sums[e],
          symbol: there[e] === null ? ["arrow", "none"] : back[e] === null ? ["none", "arrow"] : "none", symbolSize: 9,
          lineStyle: {width: widest * (0.2 + 0.8 * sums[e] / (most || 1)), opacity: m > 400 ? 0.5 : 0.9}}))},
        {type: "scatter", id: "vertices", z: 3, symbolSize: labels ? 20 : Math.max(4, 10 - n / 100), itemStyle: {color: css("--paper"), borderColor: css("--ink"), borderWidth: 1.2, opacity: 1},
          label: {show: labels, formatter: p => String(p.dataIndex), color: css("--ink"), fontSize: 11}, data: xs.map((x, i) => [x, ys[i]])}]};
  });

  add("nodes", () => {
    const s = chosen().nodes, n = Math.max(...[s.computing, s.sending, s.waiting].map(v => Array.isArray(v) ? v.length : 1));
    const nodes = graphs[chosen().graph] && Array.isArray(graphs[chosen().graph].x) ? Math.max(n, graphs[chosen().graph].x.length) : n;
    const out = base(`Computing, waiting and sending of ${nodes} nodes.`);
    out.aria.decal = {show: true};
    Object.assign(out.tooltip, {trigger: "axis", axisPointer: {type: "shadow"}, formatter: ps => `<b>node ${ps[0].axisValue}</b><br>` +
      ps.map(p => `${p.marker}${p.seriesName}: ${show(p.value, "seconds")}`).join("<br>")});
    const bar = (name, v, color, stack) => ({type: "bar", name, stack, data: column(v, nodes), color: css("--line-" + color), barCategoryGap: nodes > 60 ? "10%" : "30%", barGap: "5%", emphasis: {disabled: true}});
    return {...out, xAxis: category("node", Array.from({length: nodes}, (_, i) => String(i)), 5), yAxis: {...upward(axis("simulated time", "seconds", false)), scale: false},
      series: [bar("computing", s.computing, 0, "clock"), bar("waiting", s.waiting, 1, "clock"), bar("sending", s.sending, 2)]};
  });

  add("phases", () => {
    const rows = list(chosen().phases), names = rows.map(p => `${p.phase}: ${p.part} (${p.shape})`);
    const out = base("Bytes by phase and kind: " + rows.map((p, i) => `${names[i]}, ${p.kind}: ${show(p.bytes, "bytes")}`).join("; "));
    out.aria.decal = {show: true};
    Object.assign(out.tooltip, {trigger: "item", formatter: p => `${escape(names[p.dataIndex])}<br>${p.marker}${escape(p.seriesName)}: <b>${show(p.value, "bytes")}</b>`});
    const label = byId("phases").clientWidth < 600 ? 16 : 34;
    return {...out, xAxis: {...axis("bytes", "bytes", false), scale: false}, yAxis: {...category("", names, label), inverse: true},
      series: kinds.map((kind, k) => ({type: "bar", name: kind, stack: "bytes", color: css("--line-" + k), barMaxWidth: 28, emphasis: {disabled: true},
        data: rows.map(p => p.kind === kind ? p.bytes : null)})).filter(s => s.data.some(v => v !== null))};
  });
}
const isDark = () => document.documentElement.dataset.theme === "dark";

// ---- tables

// table makes a table like those that the page came with; columns are [name, isNumber].
function table(caption, columns, rows) {
  const t = document.createElement("table");
  t.createCaption().textContent = caption;
  const head = t.createTHead().insertRow(), body = t.createTBody();
  for (const [name, number] of columns) {
    const th = document.createElement("th");
    th.scope = "col"; th.textContent = name; th.className = number ? "n" : "";
    head.append(th);
  }
  for (const row of rows) {
    const tr = body.insertRow();
    row.forEach((v, j) => {
      const td = tr.insertCell();
      td.textContent = columns[j][1] ? v.toLocaleString("en") : v;
      if (columns[j][1]) { td.className = "n"; td.dataset.value = v; }
    });
  }
  return t;
}

// sortable lets the tables in an element scroll, and be sorted by their headings. Rows
// without a value come last either way. Where a row has no name of its own it belongs to
// the one above it, and the table stays as it is.
function sortable(element) {
  for (const t of element.querySelectorAll("table")) {
    const box = document.createElement("div");
    box.className = "scroll"; box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", t.caption ? t.caption.textContent : "table");
    t.replaceWith(box);
    box.append(t);
    if ([...t.tBodies[0].rows].some(row => /^(\s|$)/.test(row.cells[0].textContent))) continue;
    [...t.tHead.rows[0].cells].forEach((th, j) => {
      if (!th.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener("click", () => sort(t, th, j));
    });
  }
}

function sort(t, th, j) {
  const up = th.getAttribute("aria-sort") !== "ascending", number = th.classList.contains("n");
  for (const other of th.parentElement.cells) other.removeAttribute("aria-sort");
  th.setAttribute("aria-sort", up ? "ascending" : "descending");
  const key = row => {
    const cell = row.cells[j];
    if (!number) return cell.textContent;
    const v = cell.dataset.value === undefined ? NaN : Number(cell.dataset.value.replace("Inf", "Infinity"));
    return Number.isNaN(v) ? null : v;
  };
  const compare = (a, b) => a === b ? 0 : a === null ? 1 : b === null ? -1 : (up ? 1 : -1) * (number ? a - b : a.localeCompare(b, "en", {numeric: true}));
  t.tBodies[0].append(...[...t.tBodies[0].rows].map(row => [key(row), row]).sort((a, b) => compare(a[0], b[0])).map(([, row]) => row));
}

// ---- start

byId("theme").addEventListener("change", setTheme);
dark.addEventListener("change", setTheme);
setTheme();
document.querySelectorAll(".table").forEach(sortable);
if (byId("curves")) curves();
if (byId("lines")) linesOverGrid();
if (byId("heat")) heat();
if (byId("graph")) detail();
})();
