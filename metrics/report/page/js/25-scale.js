// These rules for scales equal those of the static figures in scale.go of metrics/report/figure; a test
// compares them. Runs that did not end well do not affect a scale.

// spread reports whether numbers need a logarithmic axis: they span more than two decades. It
// ignores zeros, and values that are negative by rounding.
function spread(values) {
  let [negative, least, most] = [0, Infinity, 0];
  for (const v of values) {
    if (v === null || v === undefined || !Number.isFinite(v)) continue;
    if (v < 0) negative = Math.max(negative, -v);
    if (v > 0) { least = Math.min(least, v); most = Math.max(most, v); }
  }
  return negative <= 1e-9 * most && most > 100 * least;
}

// priced reports whether values of an outcome are drawn on a logarithmic axis: costs that differ by a factor of three.
const priced = (values, o) => spread(values) || o.unit !== "number" && Math.min(...values) > 0 && Math.max(...values) >= 3 * Math.min(...values);

// farApart reports whether curves that end at these costs are drawn over a logarithmic axis.
const farApart = ends => Math.min(...ends) > 0 && Math.max(...ends) > 10 * Math.min(...ends);

// reach returns whether a curve of a run that did not end well is drawn at a value: up to a decade, or half
// the span, beyond the values of runs that ended well.
function reach(values, log) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) if (v !== null && v !== undefined && Number.isFinite(v) && (!log || v > 0)) { low = Math.min(low, v); high = Math.max(high, v); }
  if (low > high) return () => true;
  const room = log ? 9 * high : (high - low) / 2;
  return v => v !== null && v <= high + room && (log || v >= low - room);
}

// scale returns the range and the ticks of an axis for numbers; zero includes 0, as for bars.
function scale(values, log, zero) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) if (v !== null && v !== undefined && Math.abs(v) <= 1e300 && (!log || v > 0)) { low = Math.min(low, v); high = Math.max(high, v); }
  if (zero && !log) { low = Math.min(low, 0); high = Math.max(high, 0); }
  if (low > high) return {};
  if (log) return logScale(Math.log10(low), Math.log10(high));
  const size = Math.max(Math.abs(low), Math.abs(high)), room = size < 1e-290 ? 1 : high - low > 1e-9 * size ? 0.04 * (high - low) : 0.1 * size;
  const min = zero && low === 0 ? 0 : size < 1e-290 ? -1 : low - room, max = size < 1e-290 ? 1 : high + room;
  const step = nice((max - min) / 6), ticks = [];
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max * (1 + 1e-12) + 1e-300; k++) ticks.push(Number((k * step).toPrecision(12)));
  return {min, max, ticks};
}

function logScale(low, high) {
  const pad = high - low < 1e-6 ? 0.5 : 0.04 * (high - low), ticks = [], min = low - pad, max = high + pad;
  const stride = Math.max(1, Math.ceil((max - min) / 8));
  for (let k = Math.ceil(min - 1e-9); k <= max + 1e-9; k++) if (k % stride === 0) ticks.push(10 ** k);
  if (ticks.length < 3) for (let k = Math.floor(min); k <= max; k++) for (const m of [2, 5]) {
    const t = m * 10 ** k, at = Math.log10(t);
    if (at >= min && at <= max) ticks.push(t);
  }
  return {min: 10 ** min, max: 10 ** max, ticks: ticks.sort((a, b) => a - b)};
}

const nice = step => { const power = 10 ** Math.floor(Math.log10(step)); return [1, 2, 5, 10].find(m => m * power >= step * (1 - 1e-9)) * power; };

// middle returns the value in the middle of an axis.
const middle = (s, log) => log ? Math.sqrt(s.min * s.max) : (s.min + s.max) / 2;

// ranged gives an axis its range and ticks. Labels have enough digits to differ.
function ranged(a, s) {
  if (!s.ticks) return a;
  const digits = [3, 4, 5, 6, 7, 8, 9].find(d => new Set(s.ticks.map(t => show(t, a.unit, d))).size === s.ticks.length) || 3;
  return {...a, min: s.min, max: s.max, axisTick: {customValues: s.ticks}, splitLine: {...a.splitLine, customValues: s.ticks},
    axisLabel: {...a.axisLabel, customValues: s.ticks, formatter: v => show(v, a.unit, digits)}};
}

// band returns a series that fills the area between two curves: rows of [x, low, high], clipped
// to the axes. A row without numbers interrupts it.
function band(id, name, color, rows, yaxis) {
  const stretches = [[]];
  for (const r of rows) {
    if (r[1] === null || r[2] === null || r[1] === undefined || r[2] === undefined) stretches.push([]);
    else stretches.at(-1).push(r);
  }
  const all = stretches.filter(s => s.length > 0), cut = v => Math.min(Math.max(v, yaxis.min), yaxis.max);
  return {type: "custom", id, name, data: all.map((_, i) => [i]), silent: true, clip: true, tooltip: {show: false}, z: 1,
    renderItem: (params, api) => {
      const s = all[params.dataIndex];
      const up = s.map(r => api.coord([r[0], cut(r[2])])), down = s.map(r => api.coord([r[0], cut(r[1])])).reverse();
      const points = s.length > 1 ? [...up, ...down] : [[up[0][0] - 2, up[0][1]], [up[0][0] + 2, up[0][1]], [up[0][0] + 2, down[0][1]], [up[0][0] - 2, down[0][1]]];
      return {type: "polygon", shape: {points}, style: {fill: color, opacity: 0.18}};
    }};
}

// whiskers returns a series of intervals at points, moved right by some pixels: rows of [x, low, high].
function whiskers(id, name, color, rows, yaxis, move) {
  const cut = v => Math.min(Math.max(v, yaxis.min), yaxis.max);
  return {type: "custom", id, name, data: rows.map((_, i) => [i]), silent: true, clip: true, tooltip: {show: false}, z: 1,
    renderItem: (params, api) => {
      const [x, low, high] = rows[params.dataIndex], [a, b] = [low, high].map(v => api.coord([x, cut(v)])).map(([px, py]) => [px + move, py]), w = 4;
      const l = (x1, y1, x2, y2) => ({type: "line", shape: {x1, y1, x2, y2}, style: {stroke: color, lineWidth: 1.5}});
      return {type: "group", children: [l(a[0], a[1], b[0], b[1]), l(a[0] - w, a[1], a[0] + w, a[1]), l(b[0] - w, b[1], b[0] + w, b[1])]};
    }};
}
