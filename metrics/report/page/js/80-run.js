// One run.

function detail() {
  const details = data.details, graphs = data.graphs, costs = data.nodeCosts;
  const parts = ["graph", "wiring", "nodes", "physical", "phases"];
  const c = form("detail", () => { show1(); parts.forEach(redraw); });
  const by = {graph: form("graph", null, "detail"), wiring: form("wiring", null, "detail"), nodes: form("nodes", null, "detail"), physical: form("physical", null, "detail")};
  details.forEach((d, i) => c.detail.add(new Option(nameOf(groups[d.group], axes), i)));
  costs.forEach((q, i) => by.nodes.of.add(new Option(q.name, i)));
  if (list(details[0].physical).some(u => !u.rate)) by.wiring.by.value = by.physical.by.value = "bytes"; // unlimited links have no utilization
  const chosen = () => details[+c.detail.value], name = () => nameOf(groups[chosen().group], axes);

  const kinds = ["scalar", "vector", "matrix"];
  function show1() {
    byId("detail-note").textContent = chosen().title;
    byId("platform").hidden = list(chosen().physical).length === 0;
    byId("wired").hidden = !chosen().wired;
    const rows = list(chosen().phases);
    byId("ledger").replaceChildren(table("Ledger of the whole run", [["phase"], ["part"], ["kind"], ["shape"], ["messages", 1], ["elements sent", 1], ["elements received", 1], ["bytes", 1]],
      rows.map(p => [p.phase, p.part, p.kind, p.shape, p.messages, p.elements, p.wire, p.bytes])));
    sortable(byId("ledger"));
  }
  show1();

  // clock returns the time of a run: the longest of its nodes' busy and waiting times.
  const clock = d => { const n = d.n, work = column(d.nodes.computing, n), rest = column(d.nodes.waiting, n); return Math.max(...work.map((v, i) => v + rest[i]), 1e-12); };

  // traffic returns each edge's traffic, in the chosen directions.
  function traffic(d, m) {
    const there = column(d.there.bytes, m), back = column(d.back.bytes, m), busyThere = column(d.there.busy, m), busyBack = column(d.back.busy, m), kind = by.graph.by.value, total = clock(d);
    const of = Array.from({length: m}, (_, e) => kind === "bytes" ? (there[e] || 0) + (back[e] || 0) : kind === "busy" ? (busyThere[e] || 0) + (busyBack[e] || 0) : 100 * Math.max(busyThere[e] || 0, busyBack[e] || 0) / total);
    return {there, back, busyThere, busyBack, of, unit: kind === "bytes" ? "bytes" : kind === "busy" ? "seconds" : "number", words: {bytes: "bytes with headers and retransmissions, both ways together", busy: "time at work, both ways together", share: "share of the run's time at work, in percent, of the busier way"}[kind]};
  }

  add("graph", () => {
    const d = chosen(), g = graphs[d.graph];
    if (!g) return {title: {text: "no link carried anything", textStyle: {color: css("--faint"), fontSize: 14}, left: "center", top: "middle"}};
    const n = Array.isArray(g.x) ? g.x.length : Array.isArray(g.y) ? g.y.length : 1, edges = list(g.edges), m = edges.length;
    const xs = column(g.x, n), ys = column(g.y, n).map(v => -v), t = traffic(d, m);
    const say = (v, digits) => show(v, t.unit, digits) + (by.graph.by.value === "share" ? " %" : "");
    const sent = Array(n).fill(0), got = Array(n).fill(0);
    edges.forEach(([a, b], e) => { sent[a] += t.there[e] || 0; got[b] += t.there[e] || 0; sent[b] += t.back[e] || 0; got[a] += t.back[e] || 0; });
    const top = Math.max(...sent), few = n <= 64;
    const size = i => few ? 18 + (top > 0 ? 14 * sent[i] / top : 0) : Math.max(4, 10 - n / 100) * (top > 0 ? 0.7 + 0.6 * sent[i] / top : 1);
    const places = xs.map((_, i) => ({symbolSize: size(i), label: {show: few, formatter: String(i)}}));
    const drawn = net({xs, ys, lines: edges, carried: t.of, write: say, places, arrow: e => t.there[e] === null ? ["arrow", "none"] : t.back[e] === null ? ["none", "arrow"] : "none"});
    const out = base(`The graph: ${n} nodes, ${m} edges; ${t.words}: from ${say(Math.min(...t.of))} to ${say(Math.max(...t.of))}.`);
    out.caption = `${name()}: ${t.words}; ${drawn.words}. A node is the larger the more bytes it sends${top > Math.min(...sent) ? `, ${show(Math.min(...sent), "bytes", 3)} to ${show(top, "bytes", 3)}` : `, here ${show(top, "bytes", 3)} each`}.`;
    Object.assign(out.tooltip, {trigger: "item", formatter: p => {
      if (p.seriesId === "vertices") return `<b>node ${p.dataIndex}</b><br>sends ${show(sent[p.dataIndex], "bytes")}, receives ${show(got[p.dataIndex], "bytes")}`;
      const [a, b] = edges[p.dataIndex], way = (i, j, bytes, busy) => bytes === null ? "" : `<br>${i} → ${j}: ${show(bytes, "bytes")}, at work for ${show(busy, "seconds")}, ${show(100 * busy / clock(d), "number", 3)} % of the time`;
      return `<b>link ${a} – ${b}</b>` + way(a, b, t.there[p.dataIndex], t.busyThere[p.dataIndex]) + way(b, a, t.back[p.dataIndex], t.busyBack[p.dataIndex]);
    }});
    return {...out, ...drawn.parts};
  }, () => {
    const d = chosen(), edges = graphs[d.graph] ? list(graphs[d.graph].edges) : [], t = traffic(d, edges.length), rows = [["from", "to", "bytes", "busy_s", "busy_percent"]];
    edges.forEach(([a, b], e) => { for (const [i, j, bytes, busy] of [[a, b, t.there[e], t.busyThere[e]], [b, a, t.back[e], t.busyBack[e]]]) if (bytes !== null) rows.push([i, j, bytes, busy, 100 * busy / clock(d)]); });
    return rows;
  }, p => {
    const d = chosen(), g = graphs[d.graph];
    if (p.seriesId === "vertices") picked(d.group, p.dataIndex, p.dataIndex);
    if (p.seriesId === "links") picked(d.group, ...list(g.edges)[p.dataIndex]);
  });

  wiring(chosen, name, by.wiring);

  add("nodes", () => {
    const d = chosen(), s = d.nodes, n = d.n, q = costs[+by.nodes.of.value], times = by.nodes.of.value === "", sorted = by.nodes.order.value === "sorted";
    const main = times ? column(s.waiting, n) : column(d.more[+by.nodes.of.value], n).map(v => v ?? 0), order = Array.from({length: n}, (_, i) => i);
    if (sorted) order.sort((a, b) => main[b] - main[a]);
    const all = order.map(i => main[i]), ends = [Math.min(...all), Math.max(...all)], unit = times ? "seconds" : q.unit;
    const out = base(times ? `Computing, waiting and sending of ${n} nodes.` : `${q.name} of ${n} nodes, from ${show(ends[0], unit)} to ${show(ends[1], unit)}.`);
    out.caption = times ? `${name()}: time of ${n} nodes${sorted ? ", those that wait longest first" : ""}. Computing and waiting add up to a node's time; sending, its links at work, overlaps both.`
      : `${name()}: ${q.name} of ${n} nodes, from ${show(ends[0], unit, 3)} to ${show(ends[1], unit, 3)}${sorted ? ", the largest first" : ""}.`;
    out.aria.decal = {show: times};
    Object.assign(out.tooltip, {trigger: "axis", axisPointer: {type: "shadow"}, formatter: ps => `<b>node ${ps[0].axisValue}</b><br>` +
      ps.map(p => `${p.marker}${escape(p.seriesName)}: ${show(p.value, unit)}`).join("<br>")});
    const bar = (name, v, color, stack) => ({type: "bar", name, stack, data: order.map(i => v[i]), color: css("--line-" + color), barCategoryGap: n > 60 ? "10%" : "30%", barGap: "5%", emphasis: {disabled: true}});
    return {...out, xAxis: category(sorted ? "node, sorted" : "node", order.map(String), 5), yAxis: {...upward(axis(times ? "simulated time" : q.name, unit, false)), scale: false},
      series: times ? [bar("computing", column(s.computing, n), 0, "clock"), bar("waiting", column(s.waiting, n), 1, "clock"), bar("sending", column(s.sending, n), 2)] : [bar(q.name, main, 0)]};
  }, () => {
    const d = chosen(), n = d.n, all = [...["computing", "waiting", "sending"].map(k => [k + "_s", column(d.nodes[k], n)]), ...costs.map((q, i) => [q.name, column(d.more[i], n)])];
    return [["node", ...all.map(([k]) => k)], ...Array.from({length: n}, (_, i) => [i, ...all.map(([, v]) => v[i])])];
  });

  const physicalOf = {share: ["share of its bandwidth used, %", "number", u => 100 * u.share], busy: ["time at work", "seconds", u => u.busy], bytes: ["bytes", "bytes", u => u.bytes], messages: ["messages", "count", u => u.messages]};
  const uses = () => { const f = physicalOf[by.physical.by.value][2]; return [...list(chosen().physical)].sort((a, b) => f(b) - f(a)); };
  const rate = u => u.rate ? plain(u.rate[0] / 1e6, 4) + " Mbit/s" : "unlimited";
  add("physical", () => {
    const all = uses(), [what, unit, f] = physicalOf[by.physical.by.value], label = wide(byId("physical").clientWidth) ? 34 : 16;
    byId("physical").style.setProperty("--high", `${110 + 24 * Math.max(2, all.length)}px`);
    const out = base(`Physical links by ${what}: ` + all.slice(0, 12).map(u => `${u.name}: ${show(f(u), unit)}`).join("; ") + ".");
    out.caption = `${name()}: ${all.length < chosen().crossed ? `the ${all.length} busiest of ${chosen().crossed} physical links that carried anything` : `the physical links that carried anything`}, by ${what}.`;
    out.legend.show = false;
    Object.assign(out.tooltip, {trigger: "item", formatter: p => { const u = all[p.dataIndex]; return `<b>${escape(u.name)}</b> (${rate(u)})<br>${show(u.bytes, "bytes")} in ${show(u.messages, "count")} messages, ${show(100 * u.share, "number", 3)} % of what it could carry<br>at work for ${show(u.busy, "seconds")}<br>${escape(u.users)}`; }});
    out.grid.top = 16;
    return {...out, xAxis: ranged({...axis(what, unit, false), scale: false}, scale(all.map(f), false, true)), yAxis: {...category("", all.map(u => u.name), label), inverse: true},
      series: [{type: "bar", id: "physical", name: what, color: css("--line-0"), barMaxWidth: 18, emphasis: {disabled: true}, data: all.map(f)}]};
  }, () => [["link", "mbit_per_s", "bytes", "messages", "busy_s", "share_percent", "connections"], ...uses().map(u => [u.name, u.rate ? u.rate[0] / 1e6 : "", u.bytes, u.messages, u.busy, 100 * u.share, u.users])]);

  add("phases", () => {
    const rows = list(chosen().phases), names = rows.map(p => `${p.phase}: ${p.part} (${p.shape})`);
    const out = base("Bytes by phase and kind: " + rows.map((p, i) => `${names[i]}, ${p.kind}: ${show(p.bytes, "bytes")}`).join("; "));
    out.caption = `${name()}: ${show(rows.reduce((sum, p) => sum + p.bytes, 0), "bytes")} by phase, part and kind of the messages.`;
    out.aria.decal = {show: true};
    Object.assign(out.tooltip, {trigger: "item", formatter: p => `${escape(names[p.dataIndex])}<br>${p.marker}${escape(p.seriesName)}: <b>${show(p.value, "bytes")}</b>`});
    const label = wide(byId("phases").clientWidth) ? 34 : 16;
    return {...out, xAxis: {...axis("bytes", "bytes", false), scale: false}, yAxis: {...category("", names, label), inverse: true},
      series: kinds.map((kind, k) => ({type: "bar", name: kind, stack: "bytes", color: css("--line-" + k), barMaxWidth: 28, emphasis: {disabled: true},
        data: rows.map(p => p.kind === kind ? p.bytes : null)})).filter(s => s.data.some(v => v !== null))};
  });
}
