// The live page: controls, predicted costs, and runs as they arrive.

const token = new URLSearchParams(location.search).get("token") || "";
const changes = new Map(); // of the scenario, by control
const chosen = new Map(); // axes of the curves, in words
let ended = null; // the data of the last study that ended
let anew = false; // the page shows nothing of the current study yet
let going = null; // the current request, which a later one cancels
let waiting = 0; // timer of a change that others may follow

// lost is for failures of a request. Errors of the page itself are none: they are shown as what they are.
const lost = e => { throw e.name === "AbortError" ? e : new Error("The program that serves this page does not answer: has it ended?"); };
addEventListener("error", e => { if (e.error) trouble(`This page has an error; load it again, and report the error if it stays: ${e.error}`); });

const post = (path, body, signal) => fetch(path, {method: "POST", signal, body: JSON.stringify(body),
  headers: {"Content-Type": "application/json", "X-Tallynet-Token": token}}).catch(lost);

// messages yields the lines of an answer as they arrive.
async function* messages(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "";;) {
    const {value, done} = await reader.read().catch(lost);
    const lines = (rest + (value || "")).split("\n");
    rest = lines.pop();
    yield* lines;
    if (done) return;
  }
}

// attempt requests the cost of the scenario with the controls' values, and its runs.
async function attempt(run, long) {
  if (going) going.abort();
  const mine = going = new AbortController();
  byId("stop").disabled = false;
  byId("saved").textContent = "";
  try {
    const response = await post("try", {file: byId("file").value, changes: Object.fromEntries(changes), run, long: !!long}, mine.signal);
    if (!response.ok) trouble(await response.text().catch(lost));
    else for await (const line of messages(response)) if (mine === going) heard(line);
  } catch (e) {
    if (mine === going && e.name !== "AbortError") trouble(e.message);
  }
  if (mine === going) byId("stop").disabled = true;
}

const say = text => { byId("status").textContent = text; };
function trouble(text) {
  byId("trouble").textContent = text;
  byId("trouble").hidden = !text;
  byId("main").classList.toggle("old", !!text);
  if (text) say("");
}

// heard handles one line of the answer. An error there does not end what follows.
function heard(line) {
  try { follow(JSON.parse(line)); } catch (e) { reportError(e); }
}

function follow(m) {
  if (m.settled) { settle(m.settled); anew = true; }
  if (m.error) trouble(m.error);
  if (m.progress) say(m.progress);
  if (!m.page && !m.data) return;
  if (anew) [before, anew] = [ended, false];
  if (m.page) replace(m.page);
  if (m.page && !m.page.data.underWay) ended = m.page.data;
  if (m.data) {
    take(m.data);
    renewed.forEach(renew => renew());
    redraw("curves");
  }
}

function settle(s) {
  trouble("");
  say("");
  byId("title").textContent = s.name;
  byId("about").textContent = s.about;
  byId("command").textContent = s.command;
  byId("cost").hidden = byId("keep").hidden = false;
  byId("cost-about").textContent = s.cost;
  byId("predicted").innerHTML = s.predicted;
  byId("predicted").querySelectorAll(".table").forEach(sortable);
  byId("main").classList.add("old");
  dials(s.controls);
  if (document.activeElement !== byId("name")) byId("name").value = s.propose;
}

// replace shows another page of results. It keeps the axes that the user chose, if they still exist.
function replace(p) {
  for (const c of charts.values()) {
    seen.unobserve(c.element);
    sized.unobserve(c.element);
    if (c.instance) c.instance.dispose();
  }
  charts.clear(); forms.clear(); renewed.clear();
  take(p.data);
  const main = byId("main");
  main.style.minHeight = main.offsetHeight + "px"; // keeps the scroll position
  main.innerHTML = p.html;
  main.classList.remove("old");
  begin(main);
  const now = forms.get("curves");
  if (now) for (const [name, text] of chosen) {
    const e = now.elements[name], i = [...e.options].findIndex(o => o.text === text);
    if (i >= 0 && e.selectedIndex !== i) { e.selectedIndex = i; now.changed(name); redraw("curves"); }
  }
  requestAnimationFrame(() => { main.style.minHeight = ""; });
}

// A change waits briefly for the next one, as a slider moves.
function change(key, text) {
  if (key === "straggler") changes.delete("slowness"); // each kind has its own unit
  changes.set(key, text);
  clearTimeout(waiting);
  waiting = setTimeout(() => attempt(byId("auto").checked), 200);
}

const round2 = v => Number(v.toPrecision(2));
const units = {time: [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]], rate: [[1e9, "Gbit/s"], [1e6, "Mbit/s"], [1e3, "kbit/s"]]};

// written returns a slider's value as written in a file.
function written(kind, v) {
  const table = units[kind];
  if (!table) return String(kind === "count" ? Math.round(v) : round2(v));
  const [size, unit] = table.find(([size]) => v >= size * (1 - 1e-9)) || table.at(-1);
  return round2(v / size) + unit;
}

// dials shows the controls: new ones if they changed, and otherwise their values.
function dials(all) {
  const box = byId("controls"), same = box.dataset.keys === all.map(c => c.key).join();
  if (!same) box.replaceChildren(...all.map(dial));
  box.dataset.keys = all.map(c => c.key).join();
  for (const c of all) {
    const e = byId("dial-" + c.key), slider = byId("slide-" + c.key), label = byId("label-" + c.key);
    label.textContent = c.label;
    byId("hint-" + c.key).textContent = c.off || c.hint || "";
    if (e.tagName === "SELECT") e.replaceChildren(...c.choices.map(v => new Option(v, v, false, v === c.value)));
    if (document.activeElement !== e) e.value = c.value;
    e.disabled = !!c.off;
    if (!slider) continue;
    slider.disabled = !!c.off;
    const v = quantity(c.value), at = c.log ? Math.log10(v) : v;
    if (document.activeElement !== slider) slider.value = v === null ? slider.max : at;
    slider.setAttribute("aria-valuetext", c.value);
  }
}

function dial(c) {
  const box = document.createElement("div"), label = document.createElement("label"), hint = document.createElement("small");
  const e = document.createElement(c.choices ? "select" : "input");
  e.id = "dial-" + c.key; label.id = "label-" + c.key; hint.id = "hint-" + c.key;
  label.htmlFor = e.id;
  e.setAttribute("aria-describedby", hint.id);
  if (!c.choices) Object.assign(e, {type: "text", maxLength: 32, spellcheck: false, autocomplete: "off"});
  e.addEventListener("change", () => change(c.key, e.value.trim()));
  box.append(label, e);
  if (!c.choices) {
    const s = document.createElement("input"), at = v => c.log ? Math.log10(v) : v;
    Object.assign(s, {type: "range", id: "slide-" + c.key, min: at(c.low), max: at(c.high), step: c.log ? "any" : c.step});
    s.setAttribute("aria-label", c.label);
    s.addEventListener("input", () => {
      const v = c.log ? 10 ** +s.value : +s.value;
      e.value = written(c.kind, v);
      s.setAttribute("aria-valuetext", e.value);
      change(c.key, e.value);
    });
    box.append(s);
  }
  box.append(hint);
  return box;
}

byId("main").addEventListener("change", e => {
  if (e.target.closest("#curves-controls") && ["x", "y"].includes(e.target.name)) chosen.set(e.target.name, e.target.selectedOptions[0].text);
});
byId("ghost").addEventListener("change", () => redraw("curves"));
byId("file").addEventListener("change", () => { changes.clear(); chosen.clear(); ended = before = null; attempt(byId("auto").checked); });
byId("try").addEventListener("submit", e => { e.preventDefault(); });
byId("run").addEventListener("click", () => attempt(true, true));
byId("stop").addEventListener("click", () => { if (going) going.abort(); going = null; byId("stop").disabled = true; say("Stopped."); });
byId("reset").addEventListener("click", () => { changes.clear(); attempt(byId("auto").checked); });
byId("save").addEventListener("submit", async e => {
  e.preventDefault();
  const body = {file: byId("file").value, changes: Object.fromEntries(changes), name: byId("name").value.trim()};
  try {
    const response = await post("save", body);
    byId("saved").textContent = await response.text().catch(lost);
    if (response.ok) byId("file").add(new Option(body.name));
  } catch (e) { byId("saved").textContent = e.message; }
});
if (byId("file").value) attempt(true);
