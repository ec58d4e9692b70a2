// A chart is saved as SVG with its text, as PNG, and as CSV of the drawn data.

function download(name, blob) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

// svgOf returns the chart as a standalone file.
function svgOf(id) {
  const chart = charts.get(id);
  if (!chart.instance) draw(chart);
  const svg = chart.element.querySelector("svg").cloneNode(true), box = chart.element.getBoundingClientRect();
  svg.setAttribute("width", box.width);
  svg.setAttribute("height", box.height);
  svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
  const title = document.createElementNS(svg.namespaceURI, "title");
  title.textContent = chart.element.getAttribute("aria-label") || id;
  const paper = document.createElementNS(svg.namespaceURI, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", css("--paper"));
  svg.prepend(title, paper);
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(svg);
}

// csvOf returns a line for each drawn point.
function csvOf(id) {
  const chart = charts.get(id);
  if (!chart.instance) draw(chart);
  const cell = v => v === null || v === undefined ? "" : /[",\n]/.test(String(v)) ? '"' + String(v).replaceAll('"', '""') + '"' : /^[=+@\t]|^-[^0-9.]/.test(String(v)) ? "'" + v : String(v);
  return chart.table().map(row => row.map(cell).join(",")).join("\n") + "\n";
}

// pngOf draws the SVG at twice its size.
async function pngOf(id) {
  const image = new Image(), url = URL.createObjectURL(new Blob([svgOf(id)], {type: "image/svg+xml"}));
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.width; canvas.height = 2 * image.height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise(done => canvas.toBlob(done, "image/png"));
}

function saving(id) {
  const p = document.createElement("p");
  p.className = "save";
  const button = (text, act) => {
    const b = document.createElement("button");
    b.type = "button"; b.textContent = text; b.addEventListener("click", act);
    b.setAttribute("aria-label", `save ${id} as ${text}`);
    p.append(b);
  };
  p.append("Save as ");
  button("SVG", () => download(id + ".svg", new Blob([svgOf(id)], {type: "image/svg+xml"})));
  button("PNG", async () => download(id + ".png", await pngOf(id)));
  button("CSV", () => download(id + ".csv", new Blob([csvOf(id)], {type: "text/csv"})));
  const link = document.createElement("a"), view = byId(id).dataset.form || id; // the view with the choices
  link.href = "#" + view; link.textContent = "link to this view";
  // The link has the choices at the time it is followed or copied.
  for (const event of ["pointerdown", "focus", "contextmenu", "click"]) link.addEventListener(event, () => { link.href = "#" + fragment(view); });
  if (byId(view + "-controls")) p.append(link);
  byId(id).after(p);
}
