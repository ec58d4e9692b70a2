// Columns.

// column unpacks a column of n numbers: an array, or one number for all.
const column = (c, n) => Array.isArray(c) ? c : Array(n).fill(c);

// cost unpacks a cost of a curve, which may be proportional to the iterations.
const cost = (curve, i) => {
  const c = curve.costs[i];
  if (c && !Array.isArray(c) && typeof c === "object") return curve.iterations.map(k => c.from + c.per * k);
  return column(c, curve.iterations.length);
};
const value = (columns, curve, i) => column(columns[i], curve.iterations.length);
