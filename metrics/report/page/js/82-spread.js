// Differences between nodes: quantities of each node, for several methods.

const mostSpread = 16;

function spreadOverNodes() {
  const details = data.details, costs = data.nodeCosts, times = ["computing", "waiting", "sending"];
  const fits = (g, but) => details.some(d => groups[d.group] === g) && axes.every(a => a === but || c["axis" + a].value === "" || g.point[a] === +c["axis" + a].value);
  const c = form("spread", name => { if (name.startsWith("axis")) offer(c, fits); if (name !== "log" && name !== "as") scales(); });
  const named = {computing: "time computing", waiting: "time waiting", sending: "time of its links at work"};
  times.forEach(t => c.of.add(new Option(named[t], t)));
  costs.forEach((q, i) => c.of.add(new Option(q.name, i)));
  pointChoice(c, groups.length <= 8, g => details.some(d => groups[d.group] === g));
  offer(c, fits);
  const unit = () => times.includes(c.of.value) ? "seconds" : costs[+c.of.value].unit, what = () => named[c.of.value] || costs[+c.of.value].name;

  // rows returns the methods with their nodes' values, in ascending order.
  function rows() {
    return details.filter(d => fits(groups[d.group], -1)).map(d => {
      const all = column(times.includes(c.of.value) ? d.nodes[c.of.value] : d.more[+c.of.value], d.n).map((v, node) => ({v, node})).filter(x => x.v !== null);
      return {d, g: groups[d.group], all: all.sort((a, b) => a.v - b.v)};
    }).filter(r => r.all.length);
  }
  // quantile interpolates between the two neighbouring nodes.
  const quantile = (all, p) => { const at = p * (all.length - 1), i = Math.floor(at); return all[i].v + (at - i) * (all[Math.min(i + 1, all.length - 1)].v - all[i].v); };
  // The default is the cost that differs most between nodes or, if none does, a final metric that differs.
  const differs = of => { c.of.value = of; return Math.max(0, ...rows().map(r => quantile(r.all, 0.9) > 0 ? 1 - quantile(r.all, 0.1) / quantile(r.all, 0.9) : 0)); };
  const ranked = [...c.of.options].map(o => [o.value, differs(o.value), !times.includes(o.value) && !!costs[+o.value].id]), most = (best, o) => o[1] > best[1] + 0.05 ? o : best;
  const cost = ranked.filter(o => !o[2]).reduce(most);
  c.of.value = (cost[1] < 0.01 ? ranked.reduce(most, cost) : cost)[0];
  function scales() { c.log.checked = spread(rows().map(r => quantile(r.all, 0.5))); } // single nodes do not affect the scale
  scales();

  add("spread", () => {
    const all = rows(), shown = all.slice(0, mostSpread), free = axes.filter(a => c["axis" + a].value === ""), log = c.log.checked, box = c.as.value === "box", u = unit();
    const names = shown.map(r => nameOf(r.g, free)), fit = x => !log || x.v > 0, points = [...new Set(shown.map(r => r.g.point.join()))];
    const values = scale(shown.flatMap(r => r.all.map(x => x.v)), log), kept = shown.map(r => r.all.filter(fit)), zeros = shown.reduce((s, r, i) => s + r.all.length - kept[i].length, 0);
    byId("spread").style.setProperty("--high", box ? `${110 + 56 * Math.max(3, shown.length)}px` : "30rem");
    const told = shown.map((r, i) => { const [low, high] = [show(r.all[0].v, u, 3), show(r.all.at(-1).v, u, 3)]; return `${names[i]}: ` + (low === high ? `${low} each` : `${low} to ${high}, median ${show(quantile(r.all, 0.5), u, 3)}`); });
    const out = base(`${what()} of each node. ${told.slice(0, 12).join("; ")}.`);
    out.caption = `${what()} of each node${settings(c)}; ` + (told.length <= 4 ? told.join("; ") : `medians from ${show(Math.min(...shown.map(r => quantile(r.all, 0.5))), u, 3)} to ${show(Math.max(...shown.map(r => quantile(r.all, 0.5))), u, 3)}`) + ".";
    note("spread", [box ? "A dot is a node; the box reaches from the lower to the upper quartile, with a line at the median." : "Nodes are sorted by what is shown: the curve is flat where they are alike.", "Of each method and point, one run is shown.",
      all.length > shown.length && `Of ${all.length} methods and points the first ${shown.length} are shown.`, zeros > 0 && `${zeros} nodes with 0 have no place on a logarithmic axis.`]);
    const tip = (r, x) => `<b>${escape(nameOf(r.g, axes))}</b><br>node ${x.node}: ${show(x.v, u)}`;
    const looks = shown.map(r => look(r.g.method, points.indexOf(r.g.point.join()), points.length));
    Object.assign(out.tooltip, {trigger: "item", formatter: p => { const i = +p.seriesId.split(" ")[1]; return kept[i] ? tip(shown[i], kept[i][p.dataIndex]) : ""; }});
    if (!box) {
      const y = ranged(upward(axis(what(), u, log)), values);
      return {...out, xAxis: ranged(axis("nodes, sorted, %", "number", false), {min: -2, max: 102, ticks: [0, 25, 50, 75, 100]}), yAxis: y,
        series: shown.map((r, i) => ({...line(looks[i], 2), id: "nodes " + i, name: names[i], showSymbol: kept[i].length <= 40, symbolSize: 6, data: kept[i].map((x, k) => [r.all.length > 1 ? 100 * (r.all.length - kept[i].length + k) / (r.all.length - 1) : 50, x.v])}))};
    }
    const label = wide(byId("spread").clientWidth) ? 34 : 16, x = ranged(axis(what(), u, log), values);
    // Dots lie side by side, in a fixed order.
    const beside = k => ((k * 0.618034) % 1 - 0.5) * 0.44;
    const boxes = {type: "custom", id: "boxes", name: "quartiles", silent: true, z: 1, data: shown.map((_, i) => [i]), renderItem: (params, api) => {
      const i = params.dataIndex, of = kept[i];
      if (!of.length) return null;
      const [q1, q2, q3] = [0.25, 0.5, 0.75].map(p => api.coord([quantile(of, p), i])), high = Math.min(30, 0.62 * api.size([0, 1])[1]), y = q1[1] - high / 2;
      return {type: "group", children: [
        {type: "rect", shape: {x: q1[0], y, width: Math.max(q3[0] - q1[0], 1), height: high}, style: {fill: looks[i].color, opacity: 0.2, stroke: looks[i].color}},
        {type: "line", shape: {x1: q2[0], y1: y, x2: q2[0], y2: y + high}, style: {stroke: css("--ink"), lineWidth: 2.5}}]};
    }};
    const dots = shown.map((r, i) => ({type: "custom", id: "nodes " + i, name: names[i], color: looks[i].color, data: kept[i].map((x, k) => [x.v, i]), encode: {x: 0, y: 1}, z: 2, renderItem: (params, api) => {
      const at = api.coord([api.value(0), i]), size = kept[i].length > 100 ? 2 : 3.5;
      return {type: "circle", shape: {cx: at[0], cy: at[1] + beside(params.dataIndex) * Math.min(48, api.size([0, 1])[1]), r: size}, style: {fill: looks[i].color, opacity: 0.75}};
    }}));
    return {...out, legend: {show: false}, grid: {...out.grid, top: 20}, xAxis: x, yAxis: {...category("", names, label), inverse: true}, series: [boxes, ...dots]};
  }, () => [["method", "node", what()], ...rows().flatMap(r => r.all.map(x => [nameOf(r.g, axes), x.node, x.v]))]);
}
