// Tables.

// table makes a table like the page's other tables; columns are [name, isNumber].
function table(caption, columns, rows) {
  const t = document.createElement("table");
  t.createCaption().textContent = caption;
  const head = t.createTHead().insertRow(), body = t.createTBody();
  for (const [name, number] of columns) {
    const th = document.createElement("th");
    th.scope = "col"; th.textContent = name; th.className = number ? "n" : "";
    head.append(th);
  }
  for (const row of rows) {
    const tr = body.insertRow();
    row.forEach((v, j) => {
      const td = tr.insertCell();
      td.textContent = columns[j][1] ? v.toLocaleString("en") : v;
      if (columns[j][1]) { td.className = "n"; td.dataset.value = v; }
    });
  }
  return t;
}

// sortable lets the tables in an element scroll, and their headings sort them. Rows
// without a value come last in both orders. A table stays unsorted if a row has no name,
// since the row then belongs to the one above.
function sortable(element) {
  for (const t of element.querySelectorAll("table")) {
    const box = document.createElement("div");
    box.className = "scroll"; box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", t.caption ? t.caption.textContent : "table");
    t.replaceWith(box);
    box.append(t);
    if ([...t.tBodies[0].rows].some(row => /^(\s|$)/.test(row.cells[0].textContent))) continue;
    [...t.tHead.rows[0].cells].forEach((th, j) => {
      if (!th.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener("click", () => sort(t, th, j));
    });
  }
}

function sort(t, th, j) {
  const up = th.getAttribute("aria-sort") !== "ascending", number = th.classList.contains("n");
  for (const other of th.parentElement.cells) other.removeAttribute("aria-sort");
  th.setAttribute("aria-sort", up ? "ascending" : "descending");
  const quantities = !number && [...t.tBodies[0].rows].every(row => row.cells[j].textContent === "-" || quantity(row.cells[j].textContent) !== null);
  const key = row => {
    const cell = row.cells[j];
    if (!number) return quantities ? quantity(cell.textContent) : cell.textContent;
    const v = cell.dataset.value === undefined ? NaN : Number(cell.dataset.value.replace("Inf", "Infinity"));
    return Number.isNaN(v) ? null : v;
  };
  const compare = (a, b) => a === b ? 0 : a === null ? 1 : b === null ? -1 : (up ? 1 : -1) * (number || quantities ? a - b : a.localeCompare(b, "en", {numeric: true}));
  t.tBodies[0].append(...[...t.tBodies[0].rows].map(row => [key(row), row]).sort((a, b) => compare(a[0], b[0])).map(([, row]) => row));
}

// quantity reads a scenario's value with its unit, such as 50us or 1Gbit/s; null if it is not one.
function quantity(text) {
  const m = /^\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*([a-zA-Zµ]*)(?:\/s)?\s*$/.exec(text);
  if (!m || m[1] === "" || Number.isNaN(+m[1])) return null;
  const unit = m[2].replace(/(bit|B|FLOP|s)$/, ""), of = {"": 1, n: 1e-9, u: 1e-6, "µ": 1e-6, m: 1e-3, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 1024, Mi: 1048576, Gi: 1073741824};
  if (m[2] === "min") return 60 * m[1];
  if (m[2] === "h") return 3600 * m[1];
  return unit in of ? m[1] * of[unit] : null;
}
