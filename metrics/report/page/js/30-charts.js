// Charts are drawn when they come into view.

const charts = new Map(); // id -> {element, option, instance}

// add makes a chart of an element: option returns its contents, table the rows of its CSV, and
// clicked handles clicks on its parts.
function add(id, option, table, clicked) {
  const element = byId(id);
  if (!element) return;
  charts.set(id, {element, option, table: table || (() => drawnRows(id)), clicked, instance: null});
  saving(id);
  seen.observe(element);
  sized.observe(element);
}

// draw redraws a chart in the size of its place or, when printing, of the paper.
function draw(chart) {
  const option = chart.option(), made = !chart.instance; // option may set the height of the chart's place
  if (made) {
    chart.instance = echarts.init(chart.element, null, {renderer: "svg"});
    seen.unobserve(chart.element);
    keys(chart);
    if (chart.clicked) chart.instance.on("click", chart.clicked);
  }
  const c = chart.instance, place = {width: chart.element.clientWidth, height: chart.element.clientHeight};
  const legend = !made && c.getModel().getComponent("legend");
  if (option.legend && option.legend.show !== false) { // switched-off series stay off
    const names = new Set(option.series.map(s => s.name)), selected = legend && legend.get("selected") || {};
    option.legend = {...option.legend, selected: Object.fromEntries(Object.entries(selected).filter(([n]) => names.has(n)))};
  }
  const fits = !printing && (!place.width || c.getWidth() === place.width && c.getHeight() === place.height); // a hidden chart keeps its size
  c.setOption(option, {notMerge: true, lazyUpdate: !fits});
  chart.wide = wide(place.width);
  if (printing) onPaper(chart);
  else if (!fits) c.resize({width: "auto", height: "auto"});
  const words = option.aria ? option.aria.label.description : option.title.text, caption = byId(chart.element.id + "-caption");
  chart.element.setAttribute("aria-label", words);
  if (caption) caption.textContent = option.caption || words;
}

// wide reports whether a chart has room for long names.
const wide = width => width >= 600;

// keys makes a chart usable by keyboard: the arrow keys move along its first line.
function keys(chart) {
  const e = chart.element;
  e.tabIndex = 0;
  e.setAttribute("role", "img");
  let at = -1;
  e.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (event.key === "Escape") chart.instance.dispatchAction({type: "hideTip"});
    if (!step) return;
    event.preventDefault();
    const series = chart.instance.getOption().series, read = custom => series.findIndex(s => (s.type === "custom") === custom && !s.silent && (s.data || []).length);
    const i = read(false) >= 0 ? read(false) : read(true);
    if (i < 0) return;
    at = Math.min(Math.max(at + step, 0), series[i].data.length - 1);
    chart.instance.dispatchAction({type: "showTip", seriesIndex: i, dataIndex: at});
  });
  e.addEventListener("blur", () => chart.instance.dispatchAction({type: "hideTip"}));
}

// redraw draws charts again that are already on the page.
const redraw = id => { const chart = charts.get(id); if (chart && chart.instance) draw(chart); };
const redrawAll = () => charts.forEach((_, id) => redraw(id));
// renewed holds the chart's functions to call when its data have grown.
const renewed = new Map();
const chartOf = element => [...charts.values()].find(c => c.element === element);

const seen = new IntersectionObserver(entries => {
  for (const e of entries) if (e.isIntersecting && !chartOf(e.target).instance) draw(chartOf(e.target));
}, {rootMargin: "300px"});
const sized = new ResizeObserver(entries => {
  for (const e of entries) {
    const c = chartOf(e.target);
    if (!c.instance || printing || e.contentRect.width === 0) continue; // a hidden chart keeps its size
    if (c.wide !== wide(e.contentRect.width)) draw(c); // names are cut to the available room
    else if (c.instance.getWidth() !== e.target.clientWidth || c.instance.getHeight() !== e.target.clientHeight) c.instance.resize();
  }
});

// drawnRows returns the series of a chart with their names.
function drawnRows(id) {
  const rows = [["series", "x", "y", "low", "high"]];
  for (const s of charts.get(id).instance.getOption().series) {
    if (s.type === "custom") continue;
    for (const d of s.data || []) {
      const v = d && typeof d === "object" && !Array.isArray(d) ? d.value : d;
      if (v !== null && v !== undefined) rows.push([(({ghost: "before: ", reached: "target reached: "})[String(s.id).split(" ")[0]] || "") + s.name, ...(Array.isArray(v) ? v : [rows.length, v])].slice(0, 5));
    }
  }
  return rows;
}
