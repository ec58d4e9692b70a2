// Convergence.

const mostCurves = 48;

function curves() {
  const c = form("curves", name => { if (name.startsWith("axis")) offer(c, fits); if (name === "x" || name === "y" || name.startsWith("axis") || name === "seeds") scales(); });
  const fits = (g, but) => withCurve.has(g) && axes.every(a => a === but || c["axis" + a].value === "" || g.point[a] === +c["axis" + a].value);
  let means, runs, withCurve;
  function sort() {
    means = new Map(data.means.map(m => [m.group, m]));
    runs = new Map();
    for (const r of data.runs) runs.set(r.group, [...runs.get(r.group) || [], r]);
    withCurve = new Set(groups.filter((_, i) => runs.has(i) || means.has(i))); // for many runs only the medians, or none
  }
  sort();

  // Many curves at once are hard to distinguish: then the chart first shows one point of the grid.
  const open = groups.find(g => withCurve.has(g)) || groups[0];
  if (groups.length > 8) axes.forEach(a => { c["axis" + a].value = open.point[a] >= 0 ? String(open.point[a]) : ""; });
  offer(c, fits);
  const first = test => data.metrics.findIndex(test);
  const main = data.targets.length ? [data.targets[0].metric] : [first(m => m.name === "grad_norm2"), first(m => m.headline)];
  if (data.open && data.open.metric >= 0) main.unshift(data.open.metric);
  c.y.value = String(main.find(i => i >= 0) ?? 0);
  if (data.open && data.open.cost >= 0) c.x.value = String(data.open.cost);

  const chosen = () => groups.map((_, i) => i).filter(i => axes.every(a => c["axis" + a].value === "" || groups[i].point[a] === +c["axis" + a].value));

  // lines returns the curves to draw: a group's median or its runs, and runs that failed.
  function lines() {
    const each = !c.seeds || c.seeds.value === "each";
    const free = axes.filter(a => c["axis" + a].value === "");
    const shown = chosen();
    const points = [...new Set(shown.map(i => groups[i].point.join()))], methods = new Set(shown.map(i => groups[i].method)).size;
    const all = [], goesOn = data.underWay ? "interrupted" : null;
    for (const i of shown) {
      const g = groups[i], mean = each && runs.has(i) ? null : means.get(i);
      const common = {g, name: nameOf(g, free), method: data.methods[g.method], look: look(g.method, points.indexOf(g.point.join()), methods, points.length)};
      if (mean) all.push({...common, whole: true, curve: mean.curve, low: mean.low, high: mean.high, runs: mean.runs, of: `median of ${mean.runs} seeds` + (g.status.includes(",") ? ` (${g.status})` : "")});
      for (const r of runs.get(i) || []) if (!mean || r.failed) all.push({...common, whole: !r.failed && runs.get(i).length === 1, curve: r.curve, failed: r.failed === goesOn ? "" : r.failed, of: `seed ${r.seed}` + (r.failed ? ` (${r.failed === goesOn ? "under way" : r.failed})` : "")});
    }
    return all.filter(l => (list(l.curve.values)[+c.y.value] ?? null) !== null);
  }

  // ghosts returns the previous run's curves in the places of the current ones.
  function ghosts() {
    if (!before || !byId("ghost") || !byId("ghost").checked) return [];
    const same = (all, name) => all.findIndex(q => q.name === name), x = same(before.costs, data.costs[+c.x.value].name), y = same(before.metrics, data.metrics[+c.y.value].name);
    if (x < 0 || y < 0) return [];
    const old = before.axes, fits = g => axes.every(a => {
      const v = c["axis" + a].value, at = old.findIndex(o => o.name === data.axes[a].name);
      return v === "" || at < 0 || old[at].values[list(g.point)[at]] === data.axes[a].values[+v];
    });
    const all = [], drawn = new Set();
    for (const r of [...before.means, ...before.runs]) {
      const g = before.groups[r.group];
      if (drawn.has(r.group) || r.failed || !fits(g) || (list(r.curve.values)[y] ?? null) === null) continue;
      drawn.add(r.group); // its median or first run
      const name = before.methods[g.method], method = data.methods.indexOf(name);
      all.push({name, color: method < 0 ? css("--faint") : look(method, 0, 1, 1).color, xs: cost(r.curve, x), ys: value(r.curve.values, r.curve, y), iterations: r.curve.iterations});
    }
    return all.slice(0, mostCurves);
  }

  // scales chooses logarithmic axes where they show more.
  function scales() {
    const all = lines(), m = data.metrics[+c.y.value];
    const setting = all.filter(l => !l.failed || all.every(o => o.failed));
    c.logy.checked = !m.more && spread(setting.flatMap(l => value(l.curve.values, l.curve, +c.y.value)));
    c.logx.checked = farApart(setting.map(l => cost(l.curve, +c.x.value).at(-1)));
  }
  scales();
  // New data of the same runs keep the choices; axes follow the data until the user has chosen them.
  let chosenScales = false;
  for (const e of [c.logx, c.logy]) e.addEventListener("change", () => { chosenScales = true; });
  renewed.set("curves", () => { sort(); if (!chosenScales) scales(); });

  add("curves", () => {
    const x = data.costs[+c.x.value], y = data.metrics[+c.y.value], logx = c.logx.checked, logy = c.logy.checked;
    const all = lines(), drawn = all.slice(0, mostCurves);
    let dropped = 0, cut = 0;
    const series = [], bands = [], rings = [], well = drawn.filter(l => !l.failed).length ? drawn.filter(l => !l.failed) : drawn;
    const ysOf = l => value(l.curve.values, l.curve, +c.y.value), within = reach(well.flatMap(ysOf), logy);
    const parts = drawn.map(l => {
      const xs = cost(l.curve, +c.x.value), ys = ysOf(l), low = l.low && l.low[+c.y.value] !== null && value(l.low, l.curve, +c.y.value);
      const end = well.includes(l) ? -1 : ys.findIndex(v => !within(v));
      if (end >= 0) cut++;
      const rows = xs.map((_, i) => i).filter(i => {
        if (end >= 0 && i >= end || ys[i] === null || blank(y, l.curve.iterations[i])) return false;
        const ok = (!logx || xs[i] > 0) && (!logy || ys[i] > 0);
        if (!ok && i > 0) dropped++;
        return ok;
      });
      return {l, rows, xs, ys, low, high: low && value(l.high, l.curve, +c.y.value)};
    });
    const aims = data.targets.filter(t => t.metric === +c.y.value && (!logy || t.value > 0));
    const past = ghosts().map(g => ({...g, data: g.xs.map((v, i) => [v, g.ys[i]]).filter(([v, w], i) => w !== null && !blank(y, g.iterations[i]) && (!logx || v > 0) && (!logy || w > 0))}));
    const xscale = scale([...parts.flatMap(p => p.rows.map(i => p.xs[i])), ...past.flatMap(g => g.data.map(d => d[0]))], logx);
    const yscale = scale([...past.flatMap(g => g.data.map(d => d[1])), ...parts.flatMap(p => p.rows.flatMap(i => p.low ? [p.ys[i], p.low[i], p.high[i]] : [p.ys[i]])), ...aims.map(t => t.value)], logy);
    parts.forEach(({l, rows, xs, ys, low, high}, n) => {
      const points = rows.map(i => ({value: [xs[i], ys[i], l.curve.iterations[i], low ? low[i] : null, high ? high[i] : null]}));
      const marked = markers(rows.map(i => xs[i]), logx, n);
      points.forEach((p, i) => { if (!marked.has(i)) p.symbol = "none"; });
      if (l.failed && points.length) {
        Object.assign(points[points.length - 1], {symbol: cross, symbolSize: 11, itemStyle: {color: css("--bad"), borderColor: css("--bad"), borderWidth: 2},
          label: {...letters(12), show: true, formatter: l.failed, minMargin: 8, position: points.at(-1).value[0] < middle(xscale, logx) ? "right" : "left", color: css("--bad")}});
      }
      series.push({...line(l.look, l.failed ? 1.2 : 2), id: "curve " + n, name: l.name, data: points, symbolSize: 8, labelLayout: {hideOverlap: true}});
      const when = l.whole && aims.length > 0 && reached(l.g, x), at = when && (!logx || when > 0) && on(rows.map(i => xs[i]), rows.map(i => ys[i]), when, logy);
      if (at) rings.push({type: "scatter", id: "reached " + n, name: l.name, data: [[when, at]], color: l.look.color, symbol: "circle", symbolSize: 15, silent: true, z: 3, tooltip: {show: false}, itemStyle: {color: "transparent", borderColor: css("--ink"), borderWidth: 1.5}, emphasis: {disabled: true}});
      if (!low || !points.length) return;
      bands.push(band("band " + n, l.name, l.look.color, rows.map(i => [xs[i], low[i], high[i]]), yscale));
    });
    if (series.length && aims.length) {
      series[0].markLine = {silent: true, symbol: "none", precision: -1, // precision -1 shows 5e-5, not 0
        lineStyle: {color: css("--faint"), type: "dashed"},
        label: {...letters(12), position: "insideStartTop", color: css("--faint"), formatter: p => "target " + show(p.value)}, data: aims.map(t => ({yAxis: t.value}))};
    }
    const failed = drawn.filter(l => l.failed);
    note("curves", [
      all.length > drawn.length && `Of ${all.length} curves the first ${drawn.length} are shown; choose fewer points of the grid to see others.`,
      drawn.some(l => l.low) && "A line is the median over the seeds, and the band reaches from the lower to the upper quartile. Runs that ended earlier, at their target, say, are carried on with their last value.",
      rings.length > 0 && "Rings mark the target.",
      failed.length > 0 && `${failed.length} run${failed.length > 1 ? "s" : ""} did not end well: thin, with a cross at the end, and infinite in medians from there on.` + (cut > 0 ? " Their curves are cut where they leave the range of the others." : ""),
      dropped > 0 && `${dropped} points that are not positive have no place on a logarithmic axis.`,
    ]);
    series.push(...bands, ...rings);
    // A method and its ghost share a name, so that the legend switches both.
    past.forEach((g, i) => series.push({type: "line", id: "ghost " + i, name: (drawn.find(l => l.method === g.name) || g).name, data: g.data, color: g.color, symbol: "none", silent: true, z: 1, emphasis: {disabled: true}, lineStyle: {color: g.color, type: [3, 4], width: 1.5, opacity: 0.6}}));
    const o = base(`${named(y)} over ${x.name}: ${drawn.length} curves, of ${[...new Set(drawn.map(l => l.name))].slice(0, 8).join("; ")}.`);
    o.caption = `${named(y)} over ${x.name}` + settings(c) + (drawn.some(l => l.low) ? `; medians and quartiles of ${Math.max(...drawn.map(l => l.runs || 1))} seeds` : "") + (past.length ? "; pale dashes are the run before the last change" : "") + ".";
    o.toolbox = zoom();
    Object.assign(o.tooltip, {trigger: "axis", axisPointer: {type: "line", lineStyle: {color: css("--faint")}}, formatter: ps => {
      const rows = ps.filter(p => p.seriesId.startsWith("curve")).sort((a, b) => b.value[1] - a.value[1]);
      const text = rows.slice(0, 12).map(p => {
        const [px, py, k, low, high] = p.value;
        return `${dot(drawn[+p.seriesId.slice(6)].look.color)}<b>${escape(short(p.seriesName, 60))}</b>: ${show(py)}` + between(low, high) +
          `<br><small>${escape(drawn[+p.seriesId.slice(6)].of)}, ${show(px, x.unit)}${x.unit === "count" ? " " + x.name : ""}${x.name === "iterations" ? "" : `, iteration ${show(k)}`}</small>`;
      });
      return text.join("<br>") + (rows.length > 12 ? `<br>and ${rows.length - 12} more` : "");
    }});
    return {...o, xAxis: ranged(axis(x.name, x.unit, logx), xscale), yAxis: ranged(upward(axis(named(y), "number", logy)), yscale), series};
  });
}

// reached returns a group's cost to its first target, or null if the group missed it.
const reached = (g, x) => { const i = outcomeBy("to[0]." + x.id), e = i >= 0 && g.values[i]; return e ? e[0] : null; };

// on returns the height of a curve at x, interpolated between samples; undefined beyond its ends.
function on(xs, ys, x, log) {
  const i = xs.findIndex(v => v >= x * (1 - 1e-9));
  if (i <= 0) return i < 0 || xs[0] > x * (1 + 1e-9) ? undefined : ys[0];
  const part = Math.min(1, (x - xs[i - 1]) / (xs[i] - xs[i - 1]));
  return log ? ys[i - 1] ** (1 - part) * ys[i] ** part : ys[i - 1] + part * (ys[i] - ys[i - 1]);
}

// blank reports whether a value has no meaning: a zero model's, which classifies nothing.
const blank = (metric, iteration) => metric.more && iteration === 0;

// markers chooses about eight points along x for markers, at different places for each curve.
function markers(xs, log, n) {
  const at = xs.map(v => log ? Math.log(v) : v), chosen = new Set();
  if (xs.length <= 12) return new Set(xs.keys());
  const gap = (at.at(-1) - at[0]) / 8;
  let next = at[0] + gap * (0.2 + n * 0.37 % 0.8);
  at.forEach((v, i) => { if (v >= next) { chosen.add(i); next = v + gap; } });
  return chosen;
}
