// Networks: places, and lines between them that are wider and darker with more traffic.

// net draws lines [a, b] between places with their traffic, which write formats. Arrow returns the symbols at the
// ends of a one-way line. Words explain the lines in the caption; idle lines are grey.
function net({xs, ys, lines, carried, write, arrow, places, idle = e => !(carried[e] > 0)}) {
  const used = carried.filter((_, e) => !idle(e)), most = Math.max(0, ...used), least = Math.min(most, ...used), log = least > 0 && spread(used), scaled = v => log ? Math.log10(v) : v;
  // Both axes have the same span, so that circles are round.
  const mid = v => (Math.min(...v) + Math.max(...v)) / 2, reach = 0.55 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 1e-9);
  const hidden = v => ({type: "value", show: false, min: mid(v) - reach, max: mid(v) + reach});
  // Colours span the traffic, but at least a tenth of the maximum: links with nearly equal traffic look equal.
  const lowest = most > 0 ? Math.min(least, 0.9 * most) : 0, part = v => most > 0 ? (scaled(v) - scaled(lowest)) / (scaled(most) - scaled(lowest)) : 0;
  const widest = Math.max(1.5, Math.min(6, 40 / Math.sqrt(lines.length))), wide = v => log ? part(v) : v / (most || 1);
  const words = (most > least ? `the thicker, and the ${isDark() ? "lighter" : "darker"}, the more, from ${write(least, 4)} to ${write(most, 4)}${log ? ", by powers of ten" : ""}` : `${write(most, 3)} on each`) + (used.length < lines.length && used.length > 0 ? "; what carried nothing is grey" : "");
  return {words, parts: {legend: {show: false}, grid: {left: 8, right: 8, top: 48, bottom: 8, outerBoundsMode: "none"}, xAxis: hidden(xs), yAxis: hidden(ys),
    visualMap: {type: "continuous", seriesIndex: 0, dimension: 0, min: lowest, max: most || 1, orient: "horizontal", left: 0, top: 0, itemHeight: 150, itemWidth: 14, show: most > least,
      inRange: {color: isDark() ? viridis.slice(1) : viridis.slice(0, 5).reverse()}, text: [write(most, 3), write(lowest, 3)], textStyle: letters(12)},
    series: [
      {type: "lines", id: "links", progressive: 0, coordinateSystem: "cartesian2d", z: 2, data: lines.map(([a, b], e) => ({coords: [[xs[a], ys[a]], [xs[b], ys[b]]], value: carried[e],
        symbol: arrow(e), symbolSize: 9, ...((log || idle(e)) && {visualMap: false}),
        lineStyle: !idle(e) ? {width: widest * (0.2 + 0.8 * wide(carried[e])), opacity: lines.length > 400 ? 0.5 : 0.9, ...(log && {color: shade(part(carried[e]))})} : {width: 1, color: css("--rule"), opacity: 1}}))},
      {type: "scatter", id: "vertices", z: 3, itemStyle: {color: css("--paper"), borderColor: css("--ink"), borderWidth: 1.2, opacity: 1}, labelLayout: {hideOverlap: true},
        label: letters(11), data: places.map((p, i) => ({...p, value: [xs[i], ys[i]]}))}]}};
}

// shade returns a colour between the ends of the scale of links.
function shade(part) {
  const colors = isDark() ? viridis.slice(1) : viridis.slice(0, 5).reverse(), at = Math.min(Math.max(part, 0), 1) * (colors.length - 1), i = Math.min(Math.floor(at), colors.length - 2);
  const hex = (c, k) => parseInt(c.slice(1 + 2 * k, 3 + 2 * k), 16);
  return "#" + [0, 1, 2].map(k => Math.round(hex(colors[i], k) + (at - i) * (hex(colors[i + 1], k) - hex(colors[i], k))).toString(16).padStart(2, "0")).join("");
}
const isDark = () => document.documentElement.dataset.theme === "dark";

// wiring draws the chosen run's physical links at their places.
function wiring(chosen, name, by) {
  const kinds = {share: ["share of its bandwidth used, in percent, of the busier way", "number", 100], busy: ["time at work, both ways together", "seconds", 1], bytes: ["bytes, both ways together", "bytes", 1], messages: ["messages, both ways together", "count", 1]};
  // read returns a run's drawing, and a column of its links' traffic.
  function read(d) {
    const w = data.wirings[d.wired.wiring], n = w.names.length, m = w.links.length, of = k => column(d.wired[k], m);
    const all = list(w.lines).filter(([a, b]) => a !== b), kind = by.by.value, v = of(kind).map(x => x * kinds[kind][2]);
    const both = (x, t, b) => t === b || b < 0 ? x[t] : kind === "share" ? Math.max(x[t], x[b]) : x[t] + x[b];
    return {w, n, m, of, all, loops: list(w.lines).length - all.length, xs: column(w.x, n), ys: column(w.y, n).map(y => -y), rates: column(w.rates, m), carried: all.map(([, , t, b]) => both(v, t, b)), messages: all.map(([, , t, b]) => of("messages")[t] + (b >= 0 ? of("messages")[b] : 0))};
  }
  add("wiring", () => {
    const d = chosen();
    if (!d.wired) return {title: {text: "it is not known where the links lie", textStyle: {color: css("--faint"), fontSize: 14}, left: "center", top: "middle"}};
    const r = read(d), [what, unit] = kinds[by.by.value], few = r.n <= 64, write = (x, digits) => show(x, unit, digits) + (by.by.value === "share" ? " %" : "");
    const on = i => i < r.w.hosts ? r.w.nodes[i] : [], label = i => on(i).length > 2 ? `${on(i)[0]} …` : on(i).join(", ");
    const out = base(`The physical network: ${r.w.hosts} hosts, ${r.n - r.w.hosts} switches; ${what}.`), users = new Map(list(d.physical).map(u => [u.name, u.users]));
    const room = byId("wiring").clientWidth < 500 ? 4 : 24; // room for names of switches
    const places = r.w.names.map((text, i) => i < r.w.hosts
      ? {symbolSize: few ? 22 : on(i).length ? 10 : 5, label: {show: few && on(i).length > 0, formatter: label(i)}}
      : {symbol: "rect", symbolSize: few ? 13 : 7, itemStyle: {color: css("--faint"), borderColor: css("--ink")}, label: {show: r.n - r.w.hosts <= room, formatter: short(text.replace(/\.gateway$/, ""), 18), fontSize: 10, position: "bottom",
        textBorderColor: css("--paper"), textBorderWidth: 3}});
    const drawn = net({xs: r.xs, ys: r.ys, lines: r.all, carried: r.carried, write, places, idle: e => !(r.messages[e] > 0), arrow: e => r.all[e][3] < 0 ? ["none", "arrow"] : "none"});
    out.caption = `${name()}: ${what}; ${drawn.words}. ${by.by.value === "share" && r.rates.includes(null) ? "Links without a limit have a share of 0. " : ""}Circles are hosts, with the numbers of their nodes, and squares are switches.` + (r.loops < 1 ? "" : r.loops > 1 ? ` ${r.loops} links that lead back to where they begin are not drawn.` : " 1 link that leads back to where it begins is not drawn.");
    const way = k => `<br><b>${escape(r.w.links[k])}</b> (${r.rates[k] === null ? "unlimited" : plain(r.rates[k] / 1e6, 4) + " Mbit/s"}): ${show(r.of("bytes")[k], "bytes")} in ${show(r.of("messages")[k], "count")} messages, ` +
      `${show(100 * r.of("share")[k], "number", 3)} % of what it could carry, at work for ${show(r.of("busy")[k], "seconds")}` + (users.get(r.w.links[k]) ? `<br><small>${escape(users.get(r.w.links[k]))}</small>` : "");
    Object.assign(out.tooltip, {trigger: "item", formatter: p => {
      if (p.seriesId === "vertices") return `<b>${escape(r.w.names[p.dataIndex])}</b>` + (p.dataIndex >= r.w.hosts ? "<br>a switch" : on(p.dataIndex).length ? `<br>node${on(p.dataIndex).length > 1 ? "s" : ""} ${on(p.dataIndex).slice(0, 20).join(", ")}` : "<br>no node");
      const [a, b, t, back] = r.all[p.dataIndex];
      return `${escape(r.w.names[a])} – ${escape(r.w.names[b])}` + way(t) + (back >= 0 && back !== t ? way(back) : "");
    }});
    return {...out, ...drawn.parts};
  }, () => {
    const d = chosen();
    if (!d.wired) return [["link"]];
    const r = read(d), keys = ["bytes", "messages", "busy", "share"].map(r.of);
    return [["from", "to", "link", "mbit_per_s", "bytes", "messages", "busy_s", "share_percent"], ...list(r.w.lines).flatMap(([a, b, t, back]) => [[a, b, t], ...(back >= 0 && back !== t ? [[b, a, back]] : [])]
      .map(([from, to, k]) => [r.w.names[from], r.w.names[to], r.w.links[k], r.rates[k] === null ? "" : r.rates[k] / 1e6, ...keys.map((c, i) => i === 3 ? 100 * c[k] : c[k])]))];
  });
}
