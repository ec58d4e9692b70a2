// The activities of nodes over time: a row for each node, messages between the rows, and the critical path.

const mostRows = 200, stretches = 8;

// spans unpacks a timeline; times are in seconds.
function spans(t) {
  const s = ns => ns / 1e9, phases = list(t.phases), kind = what => what === -1 ? "computing" : what === -2 ? "idle (timer)" : "waiting";
  const slices = [], messages = [], path = [];
  list(t.did).forEach((did, node) => {
    let at = 0;
    for (let i = 0; i < list(did).length; at += did[i], i += 2) {
      const what = did[i + 1];
      slices.push({node, from: s(at), to: s(at + did[i]), kind: kind(what), other: what < 0 ? node : Math.floor(what / phases.length), phase: what < 0 ? "" : phases[what % phases.length]});
    }
  });
  const n = [t.sent.after, t.sent.took, t.sent.from, t.sent.to].reduce((n, c) => Array.isArray(c) ? Math.max(n, c.length) : c === null ? n : Math.max(n, 1), 0);
  const of = Object.fromEntries(["after", "took", "latency", "from", "to", "phase", "bytes"].map(k => [k, column(t.sent[k], n)]));
  for (let i = 0, at = 0; i < n; i++) {
    at += of.after[i];
    messages.push({node: of.from[i], other: of.to[i], from: s(at), to: s(at + of.took[i]), sent: s(at + of.took[i] - of.latency[i]), kind: "message", phase: phases[of.phase[i]], bytes: of.bytes[i]});
  }
  for (let i = 0, at = 0, p = list(t.path); i < p.length; at += p[i], i += 5) {
    const what = p[i + 3];
    path.push({node: p[i + 1], other: p[i + 2], from: s(at), to: s(at + p[i]), kind: "critical " + (what < 0 ? kind(what) : "message"), phase: what < 0 ? "" : phases[what % phases.length], latency: s(p[i + 4])});
  }
  return {slices, messages, path, sending: busy(messages)};
}

// busy joins the times in which a node's links carry its messages.
function busy(messages) {
  const last = new Map(), all = [];
  for (const m of messages) { // in order of sending
    const open = last.get(m.node);
    if (m.sent <= m.from) continue;
    if (open && m.from <= open.to) open.to = Math.max(open.to, m.sent);
    else { const b = {node: m.node, other: m.node, from: m.from, to: m.sent, kind: "sending", phase: ""}; last.set(m.node, b); all.push(b); }
  }
  return all;
}

function timeline() {
  const all = data.timelines, unpacked = new Map();
  const c = form("timeline", name => { if (name === "run") nodes(); if (name === "run" || name === "node") peers(); if (name === "run") parts(); });
  all.forEach((t, i) => c.run.add(new Option(nameOf(groups[t.group], axes), i)));
  const chosen = () => all[+c.run.value];
  const of = t => { if (!unpacked.has(t)) unpacked.set(t, spans(t)); return unpacked.get(t); };
  const number = e => /^[0-9]+$/.test(e.value) ? +e.value : -1, alongPath = () => c.node.value === "path";
  const refill = (e, options) => { const old = e.value; e.length = 1; options.forEach(([text, v]) => e.add(new Option(text, v))); e.value = [...e.options].some(o => o.value === old) ? old : ""; };

  function nodes() { refill(c.node, [["those on the critical path", "path"], ...list(chosen().did).map((_, i) => [i, i])]); }
  // together returns the nodes that exchange messages with a node.
  function together(node) {
    const s = of(chosen()), others = new Set();
    for (const m of [...s.messages, ...s.path]) if (m.node === node) others.add(m.other); else if (m.other === node) others.add(m.node);
    for (const w of s.slices) if (w.kind === "waiting") { if (w.node === node) others.add(w.other); else if (w.other === node) others.add(w.node); }
    others.delete(node);
    return [...others].sort((a, b) => a - b);
  }
  function peers() {
    const node = number(c.node);
    refill(c.peer, node < 0 ? [] : together(node).map(i => [i, i]));
    hide(c.peer, node < 0);
  }
  // parts offers the whole window and equal stretches of it; a crowded view starts with one stretch.
  function parts() {
    const t = chosen(), end = t.until / 1e9, s = of(t), rows = list(t.did).length;
    c.part.length = 0;
    c.part.add(new Option(`all: 0 to ${show(end, "seconds", 3)}`, ""));
    for (let k = 0; k < stretches; k++) c.part.add(new Option(`${show(end * k / stretches, "seconds", 3)} to ${show(end * (k + 1) / stretches, "seconds", 3)}`, k));
    const fit = byId("timeline").clientWidth / 12; // items in a row
    c.part.value = s.slices.length > fit * rows || s.messages.length > 0.25 * fit * rows || t.messages < 0.5 * t.until ? "0" : "";
  }
  nodes(); peers(); parts();

  function stretch() {
    const end = chosen().until / 1e9, k = number(c.part);
    return k < 0 ? [0, end] : [end * k / stretches, end * (k + 1) / stretches];
  }
  // shown returns the part of a timeline that the choices select.
  function shown() {
    const t = chosen(), s = of(t), [from, to] = stretch(), node = number(c.node), peer = number(c.peer), n = list(t.did).length;
    const inTime = x => x.from < to && x.to > from;
    let rows = Array.from({length: n}, (_, i) => i);
    const on = new Set(s.path.filter(inTime).flatMap(l => [l.node, l.other]));
    if (node >= 0) rows = peer >= 0 ? [node, peer] : [node, ...together(node)];
    else if (alongPath() && on.size > 0) rows = [...on];
    else if (n > mostRows) { rows = [...rows.filter(i => on.has(i)), ...rows.filter(i => !on.has(i))]; }
    const left = Math.max(0, rows.length - mostRows);
    rows = rows.slice(0, mostRows).sort((a, b) => a - b);
    const row = new Map(rows.map((v, i) => [v, i])), there = x => inTime(x) && row.has(x.node) && row.has(x.other === undefined ? x.node : x.other);
    const concerns = x => node < 0 || x.node === node || x.other === node;
    return {rows, row, left, from, to, slices: s.slices.filter(x => inTime(x) && row.has(x.node)), sending: s.sending.filter(x => inTime(x) && row.has(x.node)),
      messages: c.messages.checked ? s.messages.filter(x => there(x) && concerns(x)) : [], path: c.path.checked ? s.path.filter(there) : [], whole: s.path.filter(inTime)};
  }

  // inRow returns a series of bars in the rows, between two fractions of a row's height.
  function inRow(d, name, color, items, top, bottom) {
    const {from, to, row} = d;
    return {type: "custom", id: name, name, color, clip: true, data: items.map(x => [x.from, x.to, row.get(x.node)]), encode: {x: [0, 1], y: 2},
      renderItem: (params, api) => {
        const x = items[params.dataIndex], y = row.get(x.node), [a, mid] = api.coord([Math.max(x.from, from), y]), [b] = api.coord([Math.min(x.to, to), y]), high = api.size([0, 1])[1];
        return {type: "rect", shape: {x: a, y: mid + (top - 0.5) * high, width: Math.max(b - a, 0.2), height: (bottom - top) * high}, style: {fill: color}};
      }};
  }

  // between returns a series of lines between rows, clipped to the stretch.
  function between(d, name, color, items, style) {
    const {from, to, row} = d;
    return {type: "custom", id: name, name, color, clip: true, data: items.map(x => [x.from, x.to, row.get(x.node)]), encode: {x: [0, 1], y: 2}, z: style.z,
      renderItem: (params, api) => {
        const x = items[params.dataIndex], [y1, y2] = [row.get(x.node), row.get(x.other)], at = t => y1 + (y2 - y1) * (t - x.from) / (x.to - x.from || 1);
        const [a, b] = [Math.max(x.from, from), Math.min(x.to, to)], high = api.size([0, 1])[1], p = api.coord([a, 0]), q = api.coord([b, 0]), y = t => api.coord([0, 0])[1] + at(t) * high + style.lower * high;
        return {type: "line", shape: {x1: p[0], y1: y(a), x2: q[0], y2: y(b)}, style: {stroke: color, lineWidth: style.width, opacity: style.opacity, lineCap: "round"}};
      }};
  }

  const words = x => {
    const time = `${show(x.to - x.from, "seconds")}, from ${show(x.from, "seconds", 6)} to ${show(x.to, "seconds", 6)}`, phase = x.phase ? ` (${escape(x.phase)})` : "";
    switch (x.kind) {
      case "message": return `<b>message ${x.node} → ${x.other}</b>${phase}<br>${show(x.bytes, "bytes")}, under way for ${time}`;
      case "waiting": return `<b>node ${x.node} waits for node ${x.other}</b>${phase}<br>${time}`;
      case "critical message": return `<b>critical path: message ${x.node} → ${x.other}</b>${phase}<br>${time}<br>${show(Math.min(x.latency, x.to - x.from), "seconds")} latency`;
    }
    return `<b>${x.kind.startsWith("critical") ? `critical path: node ${x.node}, ${x.kind.slice(9)}` : `node ${x.node}, ${x.kind}`}</b><br>${time}`;
  };

  function describe(d) {
    const t = chosen(), sum = (items, f) => items.reduce((s, x) => s + f(x), 0), inside = x => Math.min(x.to, d.to) - Math.max(x.from, d.from), total = sum(d.whole, inside);
    const share = kind => total > 0 ? show(100 * sum(d.whole.filter(x => x.kind === kind), inside) / total, "number", 3) : "0";
    const node = number(c.node), peer = number(c.peer), who = node < 0 ? `${d.rows.length} ${alongPath() ? "nodes on the critical path" : "nodes"}` : peer < 0 ? `node ${node} and the ${d.rows.length - 1} that it has to do with` : `nodes ${node} and ${peer}`;
    return {who, path: `Of the critical path here, ${share("critical computing")} % is computing, ${share("critical message")} % messages` + (share("critical idle (timer)") !== "0" ? ` and ${share("critical idle (timer)")} % timers` : "") + ".",
      end: t.title};
  }

  let now = null; // the drawn data
  const seriesOf = {computing: d => d.slices.filter(x => x.kind === "computing"), waiting: d => d.slices.filter(x => x.kind === "waiting"), "idle (timer)": d => d.slices.filter(x => x.kind === "idle (timer)"),
    sending: d => d.sending, messages: d => d.messages, "critical path": d => d.path};
  add("timeline", () => {
    const t = chosen(), d = shown(), items = now = Object.fromEntries(Object.entries(seriesOf).map(([k, f]) => [k, f(d)])), n = d.rows.length;
    byId("timeline").style.setProperty("--high", `${110 + Math.max(2, n) * (n <= 12 ? 34 : n <= 24 ? 26 : n <= 64 ? 15 : 8)}px`);
    const text = describe(d), thin = n > 64, method = nameOf(groups[t.group], axes);
    const series = [
      inRow(d, "computing", css("--line-0"), items.computing, 0.1, 0.64), inRow(d, "waiting", css("--line-1"), items.waiting, 0.3, 0.64), inRow(d, "idle (timer)", css("--line-3"), items["idle (timer)"], 0.5, 0.64),
      inRow(d, "sending", css("--line-2"), items.sending, 0.68, 0.9),
      between(d, "messages", css("--faint"), items.messages, {width: items.messages.length > 300 ? 0.6 : 1, opacity: items.messages.length > 300 ? 0.4 : 0.7, lower: 0.29, z: 1}),
      between(d, "critical path", css("--line-6"), items["critical path"], {width: thin ? 2 : 3.5, opacity: 1, lower: -0.13, z: 4}),
    ].filter(s => s.data.length);
    note("timeline", [`A bar is computing where it is high, waiting for a message where it is half as high, a timer where it is low; below it, the node's links at work. Lines are messages. A click on a bar or a line shows its nodes alone, and another one all.`,
      c.path.checked && text.path, t.left > 0 && `The page has the beginning of the run, to ${show(t.until / 1e9, "seconds", 3)}${t.messages < t.until ? `, and messages that were sent before ${show(t.messages / 1e9, "seconds", 3)}` : ""}; ${show(t.left, "number")} later parts and messages are left out. simulate run --trace has more.`,
      d.left > 0 && `${d.left} nodes have no row here: choose one to see it.`]);
    const out = base(`What nodes did: ${method}, ${text.who}, from ${show(d.from, "seconds", 3)} to ${show(d.to, "seconds", 3)}. ${text.path}`);
    out.caption = `${method}: ${text.who}, from ${show(d.from, "seconds", 3)} to ${show(d.to, "seconds", 3)} of simulated time. ${t.title}${c.path.checked ? " The critical path, to the end of the run, is drawn thick." : ""}`;
    const narrow = byId("timeline").clientWidth < 600;
    Object.assign(out.legend, {icon: "roundRect", itemWidth: 18, type: "plain"});
    out.toolbox = {...zoom(), top: narrow ? 44 : 24};
    out.grid.top = narrow ? 78 : 58;
    out.toolbox.feature.dataZoom.yAxisIndex = "none";
    Object.assign(out.tooltip, {trigger: "item", formatter: p => items[p.seriesId] ? words(items[p.seriesId][p.dataIndex]) : ""});
    const step = nice((d.to - d.from) / (narrow ? 3 : 7)), ticks = [];
    for (let k = Math.ceil(d.from / step - 1e-9); k * step <= d.to * (1 + 1e-12); k++) ticks.push(Number((k * step).toPrecision(12)));
    const digits = Math.max(3, Math.ceil(Math.log10(d.to / step)) + 1), x = axis("simulated time", "seconds", false);
    return {...out, xAxis: {...x, min: d.from, max: d.to, scale: true, axisTick: {customValues: ticks}, splitLine: {...x.splitLine, customValues: ticks}, axisLabel: {...x.axisLabel, customValues: ticks, formatter: v => show(v, "seconds", digits)}},
      yAxis: {...upward(category("node", d.rows.map(String), 8)), inverse: true, nameLocation: "start", axisTick: {show: false}}, series};
  }, () => { const d = shown(); return [["kind", "node", "other", "phase", "from_s", "to_s", "bytes"], ...[...d.slices, ...d.sending, ...d.messages, ...d.path].map(x => [x.kind, x.node, x.other, x.phase, x.from, x.to, x.bytes ?? ""])]; },
  p => {
    const x = now && now[p.seriesId] && now[p.seriesId][p.dataIndex];
    if (x) filter(x.node, x.other);
  });

  // filter shows only one or two nodes; called again, all.
  function filter(node, other) {
    const two = other !== node, same = number(c.node) === node && (!two || number(c.peer) === other);
    c.node.value = same ? "" : node;
    peers();
    if (!same && two) c.peer.value = String(other);
    redraw("timeline");
    remember("timeline");
  }
  picked = (group, node, other) => { if (groups.indexOf(groups[chosen().group]) === group) filter(node, other); };
}

// picked filters a group's timeline by a node or link clicked elsewhere.
let picked = () => {};
