// What all charts draw from.
const byId = id => document.getElementById(id);
const list = a => a || []; // an empty list of Go is null
let data, axes, groups;
let before = null; // the data of the run before this one, which a live page draws behind it

// take makes d what the charts draw: once in a report, again and again in a live page.
function take(d) {
  data = d;
  axes = list(data.axes).map((_, i) => i);
  groups = list(data.groups);
  groups.forEach(g => { g.point = list(g.point); g.values = list(g.values); });
}
take(JSON.parse(byId("data").textContent));
