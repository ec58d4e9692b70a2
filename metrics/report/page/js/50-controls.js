// Controls.

// form returns the controls with an id's name, which all redraw its chart. The view may depend on
// another form, also.
function form(id, changed, also) {
  const f = byId(id + "-controls");
  f.addEventListener("submit", e => e.preventDefault());
  f.addEventListener("change", e => { if (changed) changed(e.target.name); redraw(id); remember(id); });
  forms.set(id, {elements: f.elements, changed, also});
  return f.elements;
}
const forms = new Map();

// fragment returns the state of a view as the fragment of an address that links to it.
function fragment(id) {
  const state = new URLSearchParams();
  const {elements, also} = forms.get(id);
  for (const e of [...also ? forms.get(also).elements : [], ...elements]) if (e.name) state.set(e.name, e.type === "checkbox" ? (e.checked ? "1" : "") : e.value);
  return id + "?" + state;
}

// remember writes the state of a view to the address.
function remember(id) {
  const state = fragment(id);
  try { history.replaceState(null, "", "#" + state); } catch { location.hash = state; }
}

// recall shows the view in the fragment of the address.
function recall() {
  const [id, query] = decodeURI(location.hash.slice(1)).split("?"), own = forms.get(id);
  if (!own || !byId(id)) return;
  for (const [name, v] of new URLSearchParams(query || "")) {
    const form = own.elements[name] || !own.also ? own : forms.get(own.also), e = form.elements[name];
    if (!e) continue;
    if (e.type === "checkbox") e.checked = v === "1";
    else if ([...e.options].some(o => o.value === v)) e.value = v;
    if (form.changed && !name.startsWith("log")) form.changed(name);
  }
  for (const [name, v] of new URLSearchParams(query || "")) if (name.startsWith("log") && own.elements[name]) own.elements[name].checked = v === "1";
  redraw(id);
  byId(id).scrollIntoView({block: "center"});
}

// offer hides options of axis selects without runs among the groups that fit the other choices.
// A hidden choice is replaced by the first visible one.
function offer(c, fits) {
  for (const a of axes) {
    const e = c["axis" + a];
    if (!e) continue;
    for (const o of e.options) o.hidden = o.disabled = o.value !== "" && !groups.some(g => fits(g, a) && g.point[a] === +o.value);
    if (e.selectedOptions[0] && e.selectedOptions[0].disabled) e.value = ([...e.options].find(o => !o.disabled) || e.options[0]).value;
  }
}

// note writes notes below a chart.
const note = (id, sentences) => { byId(id + "-note").textContent = sentences.filter(Boolean).join(" "); };

const hide = (control, hidden) => { control.parentElement.style.display = hidden ? "none" : ""; };

// nameOf names a group by its method and the axes that differ in the chart.
const nameOf = (g, axes) => [data.methods[g.method], ...axes.filter(a => g.point[a] >= 0).map(a => setting(a, g.point[a]))].join(", ");
// setting returns an axis with its i-th value.
const setting = (a, i) => data.axes[a].settings[i];
const named = q => q.title || q.name;

// settings returns the choices of a view's axes in words for its caption.
const settings = (c, but = []) => axes.filter(a => c["axis" + a] && !but.includes(a)).map(a => {
  const v = c["axis" + a].value;
  return v === "" ? "" : "; " + setting(a, +v);
}).join("");
