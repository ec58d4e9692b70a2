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
  for (const c of charts.values()) {
    draw(c);
    const rows = c.element.classList.contains("rows") ? Math.min(900, c.element.clientHeight) : 355;
    c.instance.resize(c.element.classList.contains("square") ? {width: 450, height: 450} : {width: 680, height: rows});
    c.instance.getZr().flush(); // the paper does not wait for the next frame
  }
});
addEventListener("afterprint", () => {
  printing = false;
  setTheme();
  for (const c of charts.values()) if (c.instance) c.instance.resize({width: "auto", height: "auto"});
});
