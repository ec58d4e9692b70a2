// The data of all charts.
const byId = id => document.getElementById(id);
const list = a => a || []; // an empty list of Go is null
let data, axes, groups;
let before = null; // the previous run's data, which a live page draws behind the current run

// take makes d the data of the charts: once in a report, repeatedly in a live page.
function take(d) {
  for (const name in d) d[name] ??= []; // all that is null are lists: while runs are under way, there are no outcomes
  data = d;
  axes = list(data.axes).map((_, i) => i);
  groups = list(data.groups); // a live page begins without data
  groups.forEach(g => { g.point = list(g.point); g.values = list(g.values); });
}
take(JSON.parse(byId("data").textContent));
