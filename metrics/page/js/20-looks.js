// Looks.

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const dashes = ["solid", [8, 3], [2, 2], [9, 3, 2, 3], [4, 3], [9, 2, 2, 2, 2, 2]];
const symbols = ["circle", "hollow rect", "triangle", "hollow diamond", "hollow circle", "rect", "hollow triangle", "diamond"];
const cross = "path://M0,0L10,10M10,0L0,10";
// Viridis (van der Walt and Smith), which grows lighter evenly, so that it survives greyscale.
const viridis = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];

// look is how a curve looks: colours and markers tell methods apart, dashes points of the
// grid, where several are shown.
function look(method, point, points) {
  return {color: css("--line-" + method % 7), dash: dashes[(points > 1 ? point : method) % dashes.length],
    symbol: symbols[(points > 1 ? method + point : method) % symbols.length]};
}

// line is a series of that look.
function line(l, width) {
  const hollow = l.symbol.startsWith("hollow ");
  return {type: "line", color: l.color, symbol: l.symbol.replace("hollow ", ""), showSymbol: true, emphasis: {disabled: true},
    itemStyle: {color: hollow ? css("--paper") : l.color, borderColor: l.color, borderWidth: 2}, lineStyle: {color: l.color, type: l.dash, width}};
}

// dot is a spot of colour before a name in a tip.
const dot = color => `<span style="display:inline-block;width:0.7em;height:0.7em;border-radius:50%;margin-right:0.4em;background:${color}"></span>`;

const base = description => ({
  animation: false, backgroundColor: "transparent",
  textStyle: {color: css("--ink"), fontFamily: getComputedStyle(document.body).fontFamily},
  aria: {enabled: true, label: {description}},
  grid: {left: 8, right: 24, top: 58, bottom: 12, outerBoundsMode: "same", outerBoundsContain: "all"},
  legend: {type: "scroll", top: 0, left: 0, right: 0, itemWidth: 38, itemHeight: 14, textStyle: {color: css("--ink")},
    pageTextStyle: {color: css("--ink")}, pageIconColor: css("--ink"), pageIconInactiveColor: css("--rule"),
    inactiveColor: css("--faint"), formatter: name => short(name), tooltip: {show: true, formatter: p => escape(p.name)}},
  tooltip: {confine: true, backgroundColor: css("--paper"), borderColor: css("--faint"), textStyle: {color: css("--ink"), fontSize: 13},
    extraCssText: "max-width:min(34rem,90vw);white-space:normal;overflow-wrap:anywhere"},
});

// axis is an axis of numbers with its name below it; upward puts the name above it.
const axis = (name, unit, log) => ({
  type: log ? "log" : "value", name: short(name, 36), nameLocation: "middle", nameGap: 28, scale: true, splitNumber: log ? 8 : 5,
  nameTextStyle: {color: css("--ink"), fontSize: 13}, axisLine: {show: true, lineStyle: {color: css("--faint")}},
  axisLabel: {color: css("--ink"), hideOverlap: true, formatter: v => show(v, unit, 3)},
  splitLine: {lineStyle: {color: css("--rule")}}, minorSplitLine: {show: false},
});

const upward = a => ({...a, nameLocation: "end", nameGap: 10, nameTextStyle: {...a.nameTextStyle, align: "left", padding: [0, 0, 0, -30]}});
const category = (name, values, most) => ({...axis(name), type: "category", data: values,
  axisLabel: {color: css("--ink"), hideOverlap: true, formatter: v => short(v, most)}, splitLine: {show: false}});
// zoom lets a box be chosen; curves go on beyond it.
const zoom = () => ({show: !printing, right: 20, top: 24, itemSize: 14, iconStyle: {borderColor: css("--faint")}, feature: {
  dataZoom: {filterMode: "none", title: {zoom: "zoom into a box", back: "zoom out"}}, restore: {title: "whole picture"}}});
