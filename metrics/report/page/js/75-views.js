// The parts of time, the Pareto front, and how often a method is nearly the best.

const outcomeBy = id => data.outcomes.findIndex(o => o.id === id);
const goal = () => outcomeBy("to[0].time_s") >= 0 ? "to[0]." : "totals.";

// pointChoice selects the first point with something to show.
function pointChoice(c, whole, shows) {
  const g = groups.find(shows) || groups[0];
  axes.forEach(a => { c["axis" + a].value = whole ? "" : String(Math.max(0, g.point[a])); });
}

const parts = [["latency", "critical_path.latency_s", 5], ["transfer (with queues and jitter)", "critical_path.transfer_s", 1], ["computing", "critical_path.compute_s", 0], ["idle (timers)", "critical_path.idle_s", 3]];

function madeOf() {
  const fits = (g, but) => axes.every(a => a === but || c["axis" + a].value === "" || g.point[a] === +c["axis" + a].value);
  const c = form("path", name => { if (name.startsWith("axis")) offer(c, fits); });
  const of = (g, id) => { const i = outcomeBy(goal() + id), e = i >= 0 && g.values[i]; return e && e[0] !== null ? e[0] : 0; };
  const total = g => parts.reduce((sum, p) => sum + of(g, p[1]), 0);
  pointChoice(c, false, g => total(g) > 0);
  offer(c, fits);
  const rows = () => groups.filter(g => fits(g, -1)).slice(0, 40);
  add("path", () => {
    const all = rows(), free = axes.filter(a => c["axis" + a].value === ""), share = c.share.checked;
    const names = all.map(g => nameOf(g, free)), unit = share ? "number" : "seconds", what = goal() === "totals." ? "whole runs" : "until the target";
    const series = parts.filter(([, id]) => all.some(g => of(g, id) > 0)).map(([name, id, color]) => ({type: "bar", stack: "path", name, color: css("--line-" + color), barMaxWidth: 28, emphasis: {disabled: true},
      data: all.map(g => share ? (total(g) > 0 ? 100 * of(g, id) / total(g) : 0) : of(g, id))}));
    const out = base(`What the time of each method is made of, ${what}: ` + all.slice(0, 12).map((g, i) => `${names[i]}: ` + parts.map(([name, id]) => `${name} ${show(of(g, id), "seconds")}`).join(", ")).join("; "));
    out.caption = `The critical path, ${what}: the chain of work and messages that the end waited for${settings(c)}.` + (groups.filter(g => fits(g, -1)).length > all.length ? " The first 40 are shown." : "");
    out.aria.decal = {show: true};
    byId("path").style.setProperty("--high", `${Math.max(14, 7 + 2.2 * all.length)}rem`);
    Object.assign(out.tooltip, {trigger: "axis", axisPointer: {type: "shadow"}, formatter: ps => `<b>${escape(names[ps[0].dataIndex])}</b><br>` + ps.map(p => `${p.marker}${escape(p.seriesName)}: ${share ? show(p.value) + " %" : show(p.value, "seconds")}`).join("<br>")});
    const label = wide(byId("path").clientWidth) ? 40 : 14;
    return {...out, xAxis: ranged({...axis(share ? "share of the time, %" : "simulated time", unit, false), scale: false}, share ? {min: 0, max: 100, ticks: [0, 20, 40, 60, 80, 100]} : scale(all.map(total), false, true)),
      yAxis: {...category("", names, label), inverse: true}, series};
  });
}

function pareto() {
  const fits = (g, but) => axes.every(a => a === but || c["axis" + a].value === "" || g.point[a] === +c["axis" + a].value);
  const c = form("pareto", name => { if (name.startsWith("axis")) offer(c, fits); if (!name.startsWith("log")) scales(); });
  const of = (g, control) => { const e = g.values[+control.value]; return e && e[0] !== null ? e : null; };
  const first = (id, unit) => { const i = outcomeBy(goal() + id); return String(i >= 0 ? i : Math.max(0, data.outcomes.findIndex(o => o.unit === unit))); };
  const {outcome = -1, second = -1, shape = -1} = data.open || {};
  c.x.value = outcome >= 0 ? String(outcome) : first("payload_bytes", "bytes");
  c.y.value = second >= 0 ? String(second) : first("time_s", "seconds") !== c.x.value ? first("time_s", "seconds") : first("payload_bytes", "bytes");
  pointChoice(c, groups.length <= 40, g => of(g, c.x) && of(g, c.y));
  offer(c, fits);
  const shown = () => groups.filter(g => fits(g, -1) && of(g, c.x) && of(g, c.y));
  function scales() {
    for (const [log, control] of [[c.logx, c.x], [c.logy, c.y]]) log.checked = priced(shown().map(g => of(g, control)[0]), data.outcomes[+control.value]);
  }
  scales();
  add("pareto", () => {
    const ox = data.outcomes[+c.x.value], oy = data.outcomes[+c.y.value], logx = c.logx.checked, logy = c.logy.checked, free = axes.filter(a => c["axis" + a].value === "");
    const all = shown().filter(g => (!logx || of(g, c.x)[0] > 0) && (!logy || of(g, c.y)[0] > 0)), points = [...new Set(all.map(g => g.point.join()))];
    const better = (o, a, b) => o.more ? a > b : a < b;
    const beats = (g, h) => { const [a, b] = [of(g, c.x)[0], of(h, c.x)[0]], [p, q] = [of(g, c.y)[0], of(h, c.y)[0]]; return !better(ox, b, a) && !better(oy, q, p) && (better(ox, a, b) || better(oy, p, q)); };
    const front = all.filter(g => !all.some(h => beats(h, g))).sort((g, h) => of(g, c.x)[0] - of(h, c.x)[0]);
    const labelled = all.length <= 10, xscale = scale(all.map(g => of(g, c.x)[0]), logx);
    const marks = shape >= 0 ? [...new Set(all.map(g => g.point[shape]))] : [null], shaped = marks.length > 1;
    const spot = l => l.hollow ? {color: css("--paper"), borderColor: l.color, borderWidth: 2} : {color: l.color, opacity: 0.85};
    const series = data.methods.flatMap((name, m) => marks.map(v => {
      const l = shaped ? look(m, v, 2, 2) : look(m, 0, 1, 1), own = all.filter(g => g.method === m && (!shaped || g.point[shape] === v));
      return {type: "scatter", id: `method ${m}${shaped ? "," + v : ""}`, name, color: l.color, symbol: l.symbol, symbolRotate: l.turn, symbolSize: 12, emphasis: {disabled: true}, itemStyle: spot(l),
        label: {...letters(12), show: labelled && free.length === 0, formatter: short(name, 20)}, labelLayout: {hideOverlap: true, moveOverlap: "shiftY", dy: -9}, // above the line of the front
        // Names extend towards the middle, away from names of the axes.
        data: own.map(g => ({value: [of(g, c.x)[0], of(g, c.y)[0], groups.indexOf(g)], label: {position: of(g, c.x)[0] < middle(xscale, logx) ? "right" : "left"}}))};
    })).filter(s => s.data.length);
    if (shaped) for (const v of marks) { // the legend names shapes with empty series
      const l = look(0, v, 2, 2);
      series.push({type: "scatter", id: "shape " + v, name: v < 0 ? `no ${data.axes[shape].name}` : setting(shape, v), color: css("--faint"), symbol: l.symbol, symbolRotate: l.turn, itemStyle: spot({...l, color: css("--faint")}), data: []});
    }
    series.push({type: "line", id: "front", name: "not beaten", step: "end", showSymbol: false, symbol: "none", lineStyle: {color: css("--ink"), type: "dashed", width: 1.2}, color: css("--ink"), silent: true, emphasis: {disabled: true}, data: front.map(g => [of(g, c.x)[0], of(g, c.y)[0]])});
    note("pareto", [goal() === "totals." && "No target was set: these are whole runs, which may end at different accuracies, so that doing little looks cheap.", free.length > 0 && points.length > 1 && "Points of the grid that pose different problems are not to be compared with each other."]);
    const out = base(`${oy.name} against ${ox.name}; not beaten in both: ${front.slice(0, 12).map(g => nameOf(g, free)).join("; ")}.`);
    out.caption = `${oy.name} against ${ox.name}${settings(c)}; the dashed line joins what nothing beats in both.`;
    Object.assign(out.tooltip, {trigger: "item", formatter: p => { const g = groups[p.value[2]]; return g ? `<b>${escape(nameOf(g, axes))}</b><br>${escape(ox.name)}: ${inWords(of(g, c.x), ox.unit)}<br>${escape(oy.name)}: ${inWords(of(g, c.y), oy.unit)}` : ""; }});
    out.legend.itemWidth = 14; // symbols, not lines
    return {...out, xAxis: ranged(axis(ox.name, ox.unit, logx), xscale), yAxis: ranged(upward(axis(oy.name, oy.unit, logy)), scale(all.map(g => of(g, c.y)[0]), logy)), series};
  });
}

// profiles returns performance profiles (Dolan and More, 2002): the share of the grid points at
// which a method needs at most some factor of the best one's cost.
function profiles() {
  const c = form("profile");
  c.outcome.value = firstOutcome();
  add("profile", () => {
    const o = +c.outcome.value, points = [...new Set(groups.map(g => g.point.join()))], best = new Map();
    for (const g of groups) { const e = g.values[o]; if (e && e[0] > 0) best.set(g.point.join(), Math.min(best.get(g.point.join()) ?? Infinity, e[0])); }
    const lines = data.methods.map((name, m) => ({name, m, ratios: groups.filter(g => g.method === m && g.values[o] && g.values[o][0] > 0).map(g => g.values[o][0] / best.get(g.point.join())).sort((a, b) => a - b)}));
    const most = Math.max(2, ...lines.flatMap(l => l.ratios)), log = most > 10;
    const series = lines.map(l => ({...line(look(l.m, 0, 1, 1), 2), id: "line " + l.m, name: l.name, step: "end", showSymbol: false,
      data: [[1, l.ratios.filter(r => r <= 1).length / points.length], ...l.ratios.map((r, i) => [r, (i + 1) / points.length]), [most, l.ratios.length / points.length]]}));
    const out = base(`Performance profile of ${data.outcomes[o].name} over ${points.length} grid points: ` + lines.map(l => `${l.name} is best at ${l.ratios.filter(r => r <= 1).length}`).join("; "));
    out.caption = `${data.outcomes[o].name}: the share of ${points.length} grid points at which a method needs at most so many times what the best one needs (Dolan and Moré, 2002).`;
    Object.assign(out.tooltip, {trigger: "item", formatter: p => `${escape(p.seriesName)}: within ${show(p.value[0], "number", 3)} times the best at ${show(100 * p.value[1], "number", 3)} % of the grid points`});
    return {...out, xAxis: ranged(axis("times the best", "number", log), scale([1, most], log)), yAxis: ranged(upward(axis("share of the grid points", "number", false)), {min: 0, max: 1.02, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1]}), series};
  });
}
