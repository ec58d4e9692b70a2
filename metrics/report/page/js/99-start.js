// Start.

byId("theme").addEventListener("change", setTheme);
dark.addEventListener("change", setTheme);
setTheme();
begin();
recall();
addEventListener("hashchange", recall);

// begin activates the tables and charts of the page.
function begin(root = document) {
  root.querySelectorAll(".table").forEach(sortable);
  if (byId("curves")) curves();
  if (byId("parameter")) linesOverGrid();
  if (byId("ask")) question();
  if (byId("map")) mapOfChoices();
  if (byId("path")) madeOf();
  if (byId("pareto")) pareto();
  if (byId("profile")) profiles();
  if (byId("spread")) spreadOverNodes();
  if (byId("graph")) detail();
  if (byId("timeline")) timeline();
}
