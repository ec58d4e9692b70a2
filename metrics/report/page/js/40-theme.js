// Theme and paper.

const dark = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

function setTheme() {
  const chosen = byId("theme").value || (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = printing ? "light" : chosen;
  redrawAll();
}

addEventListener("beforeprint", () => {
  printing = true;
  document.documentElement.dataset.theme = "light";
  for (const c of charts.values()) draw(c);
});

// onPaper gives a drawn chart its size on paper.
function onPaper(c) {
  const height = c.element.classList.contains("rows") ? Math.min(900, c.rows ??= c.element.clientHeight) : 355;
  c.instance.resize(c.element.classList.contains("square") ? {width: 450, height: 450} : {width: 680, height});
  wrapLegend(c, height);
  c.instance.getZr().flush(); // printing does not wait for the next frame
}

// wrapLegend makes room for a legend with several rows on paper.
function wrapLegend(c, height) {
  const legend = c.instance.getModel().getComponent("legend"), grid = c.instance.getModel().getComponent("grid");
  const more = legend && legend.get("show") && grid ? c.instance.getViewOfComponentModel(legend).group.getBoundingRect().height - 20 : 0;
  if (more <= 0) return;
  c.element.style.setProperty("--print", `${height + more}px`);
  c.instance.setOption({grid: {top: grid.get("top") + more}}, {lazyUpdate: true});
  c.instance.resize({width: 680, height: height + more});
}

addEventListener("afterprint", () => {
  printing = false;
  for (const c of charts.values()) { c.element.style.removeProperty("--print"); delete c.rows; }
  setTheme(); // redraws all charts in the size of their places
});
