// One rule for scales, which the static figures share: logarithmic where the numbers are
// positive and span more than two decades; what is 0, or of a run that diverged, does not
// set the scale; the numbers take up more than 90 % of the axis.

const wide = 100; // a logarithmic axis spans more

// spread is whether numbers, of which zeros are left out, want a logarithmic axis.
function spread(values) {
  let [least, most] = [Infinity, 0];
  for (const v of values) {
    if (v < 0) return false;
    if (v > 0) { least = Math.min(least, v); most = Math.max(most, v); }
  }
  return most > wide * least;
}

// scale is the range and the ticks of an axis for numbers; zero includes 0, as for bars.
function scale(values, log, zero) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) if (v !== null && v !== undefined && Number.isFinite(v) && (!log || v > 0)) { low = Math.min(low, v); high = Math.max(high, v); }
  if (zero && !log) { low = Math.min(low, 0); high = Math.max(high, 0); }
  if (low > high) return {};
  if (log) return logScale(Math.log10(low), Math.log10(high));
  if (high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high))) {
    const room = Math.abs(high) * 0.1 || 1;
    [low, high] = [low - room, high + room];
  }
  const pad = 0.04 * (high - low);
  const min = zero && low === 0 ? 0 : low >= 0 && low < 0.1 * high ? 0 : low - pad, max = high + pad;
  const step = nice((max - min) / 6), ticks = [];
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max * (1 + 1e-12) + 1e-300; k++) ticks.push(Number((k * step).toPrecision(12)));
  return {min, max, ticks};
}

function logScale(low, high) {
  if (high - low < 1e-9) [low, high] = [low - 0.5, high + 0.5];
  const pad = 0.04 * (high - low), ticks = [], min = low - pad, max = high + pad;
  const stride = Math.max(1, Math.ceil((max - min) / 8));
  for (let k = Math.ceil(min - 1e-9); k <= max + 1e-9; k++) if (k % stride === 0) ticks.push(10 ** k);
  if (ticks.length < 3) for (let k = Math.floor(min); k <= max; k++) for (const m of [2, 5]) {
    const t = m * 10 ** k, at = Math.log10(t);
    if (at >= min && at <= max) ticks.push(t);
  }
  return {min: 10 ** min, max: 10 ** max, ticks: ticks.sort((a, b) => a - b)};
}

const nice = step => { const power = 10 ** Math.floor(Math.log10(step)); return [1, 2, 5, 10].find(m => m * power >= step * (1 - 1e-9)) * power; };

// ranged gives an axis its range and ticks.
const ranged = (a, s) => s.ticks ? {...a, min: s.min, max: s.max, axisTick: {customValues: s.ticks}, splitLine: {...a.splitLine, customValues: s.ticks},
  axisLabel: {...a.axisLabel, customValues: s.ticks}} : a;

// band is a series that fills the area between two curves: rows of [x, low, high], which are cut
// to what the axes show. A row without numbers interrupts it.
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

// whiskers is a series of intervals of single points: rows of [x, low, high].
function whiskers(id, name, color, rows, yaxis) {
  const cut = v => Math.min(Math.max(v, yaxis.min), yaxis.max);
  return {type: "custom", id, name, data: rows.map((_, i) => [i]), silent: true, clip: true, tooltip: {show: false}, z: 1,
    renderItem: (params, api) => {
      const [x, low, high] = rows[params.dataIndex], a = api.coord([x, cut(low)]), b = api.coord([x, cut(high)]), w = 4;
      const l = (x1, y1, x2, y2) => ({type: "line", shape: {x1, y1, x2, y2}, style: {stroke: color, lineWidth: 1.5}});
      return {type: "group", children: [l(a[0], a[1], b[0], b[1]), l(a[0] - w, a[1], a[0] + w, a[1]), l(b[0] - w, b[1], b[0] + w, b[1])]};
    }};
}
