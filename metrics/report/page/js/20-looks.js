// Looks.

// css returns a colour of the theme. Asking between two charts makes the browser recompute the page's style.
const css = name => {
  const {theme} = document.documentElement.dataset, key = theme + name;
  if (!hues.has(key)) hues.set(key, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return hues.get(key);
};
const hues = new Map();
const cross = "path://M0,0L10,10M10,0L0,10";
// Viridis (van der Walt and Smith): its lightness grows evenly, so it survives greyscale.
const viridis = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];

// look returns the looks of a curve, as in the figures: colours distinguish methods, and dashes and markers points
// of the grid, if there are several of both.
function look(method, point, methods, points) {
  const [color, dash, marker] = points <= 1 ? [method, method, method] : methods <= 1 ? [point, point, point] : [method, point, point];
  const {colors, dashes, markers} = data.palette, of = (all, i) => all[i % all.length], name = of(markers, marker).split(" ");
  return {color: css("--line-" + color % colors.length), dash: of(dashes, dash), hollow: name[0] === "hollow",
    symbol: name.filter(w => w !== "hollow" && w !== "down").join(), turn: name.includes("down") ? 180 : 0};
}

// line returns a series with that look.
function line(l, width) {
  return {type: "line", color: l.color, symbol: l.symbol, symbolRotate: l.turn, showSymbol: true, emphasis: {disabled: true},
    itemStyle: {color: l.hollow ? css("--paper") : l.color, borderColor: l.color, borderWidth: 2},
    lineStyle: {color: l.color, type: l.dash.length ? l.dash.map(d => Math.max(1, Math.round(2 * d))) : "solid", width}};
}

// dot returns a spot of colour before a name in a tooltip.
const dot = color => `<span style="display:inline-block;width:0.7em;height:0.7em;border-radius:50%;margin-right:0.4em;background:${color}"></span>`;

let font; // of the page

// ECharts takes the width of a Chinese character, which many fonts lack, for the height of a line that states none.
const letters = size => ({color: css("--ink"), fontSize: size, lineHeight: Math.round(1.25 * size)});

const base = description => ({
  animation: false, backgroundColor: "transparent",
  textStyle: {color: css("--ink"), fontFamily: font ??= getComputedStyle(document.body).fontFamily},
  aria: {enabled: true, label: {description}},
  grid: {left: 8, right: 24, top: 58, bottom: 12, outerBoundsMode: "same", outerBoundsContain: "all"},
  legend: {type: printing ? "plain" : "scroll", // on paper all names are visible
     top: 0, left: 0, right: 0, itemWidth: 38, itemHeight: 14, textStyle: letters(12),
    pageTextStyle: letters(12), pageIconColor: css("--ink"), pageIconInactiveColor: css("--rule"),
    inactiveColor: css("--faint"), formatter: name => short(name), tooltip: {show: true, formatter: p => escape(p.name)}},
  tooltip: {confine: true, backgroundColor: css("--paper"), borderColor: css("--faint"), textStyle: {color: css("--ink"), fontSize: 13},
    extraCssText: "max-width:min(34rem,90vw);white-space:normal;overflow-wrap:anywhere"},
});

// axis returns an axis of numbers with its name below it, or above it if upward.
const axis = (name, unit, log) => ({
  unit, type: log ? "log" : "value", name: short(name, 36), nameLocation: "middle", nameGap: 28, scale: true, splitNumber: log ? 8 : 5,
  nameTextStyle: letters(13), axisLine: {show: true, onZero: false, lineStyle: {color: css("--faint")}},
  axisLabel: {...letters(12), hideOverlap: true, formatter: v => show(v, unit, 3)},
  splitLine: {lineStyle: {color: css("--rule")}}, minorSplitLine: {show: false},
});

const upward = a => ({...a, nameLocation: "end", nameGap: 10, nameTextStyle: {...a.nameTextStyle, align: "left", padding: [0, 0, 0, -30]}});
const category = (name, values, most) => ({...axis(name), type: "category", data: values,
  axisLabel: {...letters(12), hideOverlap: true, formatter: v => short(v, most)}, splitLine: {show: false}});
// zoom lets the user select a box; curves continue beyond it.
const zoom = () => ({show: !printing, right: 20, top: 24, itemSize: 14, iconStyle: {borderColor: css("--faint")}, feature: {
  dataZoom: {filterMode: "none", title: {zoom: "zoom into a box", back: "zoom out"}}, restore: {title: "whole picture"}}});
