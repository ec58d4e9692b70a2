// Numbers and words.

const prefixes = {
  bytes: [[1e18, "EB"], [1e15, "PB"], [1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]],
  joules: [[1e9, "GJ"], [1e6, "MJ"], [1e3, "kJ"], [1, "J"], [1e-3, "mJ"], [1e-6, "µJ"], [1e-9, "nJ"], [1e-12, "pJ"]],
  seconds: [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]],
};

// show writes a number for people, as "1.23 MB", "4.5 ms", "12,345", "2.5e-4".
function show(x, unit, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  const table = prefixes[unit];
  if (table && x !== 0) {
    const [size, name] = table.find(([size]) => Math.abs(x) >= size * (1 - 1e-9)) || table[table.length - 1];
    return plain(x / size, digits) + "\u00a0" + name;
  }
  return plain(x, digits);
}

function plain(x, digits) {
  const abs = Math.abs(x);
  if (abs !== 0 && (abs < 1e-3 || abs >= 1e9)) return x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  if (Number.isInteger(x) || abs >= 10 ** digits) return Math.round(x).toLocaleString("en");
  return String(Number(x.toPrecision(digits)));
}

const escape = echarts.format.encodeHTML;
const short = (text, most = 34) => text.length > most ? text.slice(0, most - 1) + "…" : text;
