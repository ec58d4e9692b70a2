// One run.

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
      visualMap: {type: "continuous", seriesIndex: 0, dimension: 0, min: most > least ? least : 0, max: most || 1, orient: "horizontal", left: 0, top: 0, itemHeight: 150, itemWidth: 14,
        inRange: {color: isDark() ? viridis.slice(1) : viridis.slice(0, 5).reverse()}, text: [show(most, "bytes", 3), show(most > least ? least : 0, "bytes", 3)], textStyle: {color: css("--ink")}},
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
