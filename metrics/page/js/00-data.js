// What all charts draw from.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const list = a => a || []; // an empty list of Go is null
