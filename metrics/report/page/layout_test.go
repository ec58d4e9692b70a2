package page

// These checks cover the geometry of any page's charts and tables in a browser.

// overprinted returns the texts of a chart that overlap in their visible parts.
const overprinted = `(id => {
	const svg = document.querySelector("#" + id + " svg"), at = svg.getBoundingClientRect();
	const cut = t => { // the visible part of a text
		const r = t.getBoundingClientRect(), out = {left: r.left, right: r.right, top: r.top, bottom: r.bottom};
		const by = t.closest("[clip-path]"), shape = by && svg.querySelector(by.getAttribute("clip-path").slice(4, -1) + " > *");
		if (shape) {
			const box = shape.getBBox(), move = shape.transform.baseVal.consolidate(), m = move ? move.matrix : {e: 0, f: 0};
			out.left = Math.max(out.left, at.left + box.x + m.e);
			out.right = Math.min(out.right, at.left + box.x + m.e + box.width);
		}
		return out;
	};
	const boxes = [...svg.querySelectorAll("text")].filter(t => t.textContent.trim()).map(t => ({text: t.textContent, r: cut(t)}));
	const out = [];
	boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
		const wide = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), high = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
		if (wide > 3 && high > 5) out.push(a.text + " on " + b.text);
	}));
	return out;
})`

// misplaced lists layout faults of a page. Charts and tables must end within the page, charts must fill their
// place and show something, axes of numbers must be used to at least 70 %, and no text may be cut off.
const misplaced = `(() => {
	const out = [], page = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth > page) out.push("the page is " + document.documentElement.scrollWidth + " pixels wide, of " + page);
	const paper = matchMedia("print").matches, folded = paper || page < 600; // the narrowest, as layout is slow
	// Lay out folded parts all at once, without the tables that scroll. Measured one by one, each part and every
	// table row would be laid out again.
	const closed = folded ? [...document.querySelectorAll("details:not([open])")] : [];
	const tables = paper ? [] : closed.flatMap(e => [...e.querySelectorAll(".scroll > *")]);
	for (const e of tables) e.style.display = "none";
	for (const e of closed) e.open = true;
	for (const t of document.querySelectorAll("table, pre, p, h1, h2, li")) if ((paper || !t.closest(".scroll")) && (folded || !t.closest("details:not([open])"))) {
		const r = t.getBoundingClientRect();
		if (r.width && r.right > page + 1) out.push(t.tagName + " ends at " + r.right + ": " + t.textContent.slice(0, 60));
	}
	for (const e of closed) e.open = false;
	for (const e of tables) e.style.removeProperty("display");
	for (const e of document.querySelectorAll(".chart")) {
		if (e.offsetWidth === 0) continue; // hidden
		const c = echarts.getInstanceByDom(e), say = text => out.push(e.id + " " + text);
		if (!c) { say("is not drawn"); continue; }
		if (!e.getAttribute("aria-label")) say("has no words for those who do not see it");
		const m = c.getModel(), svg = e.querySelector("svg"), at = svg.getBoundingClientRect(), box = e.getBoundingClientRect();
		if (at.right > page + 1) say("ends at " + at.right + " pixels of " + page);
		if (at.height > box.height + 2) say("is " + at.height + " pixels high in a place of " + box.height);
		const ends = [[Infinity, -Infinity], [Infinity, -Infinity]], add = (k, v) => { if (Number.isFinite(v)) ends[k] = [Math.min(ends[k][0], v), Math.max(ends[k][1], v)]; };
		let items = 0;
		m.eachSeries(s => {
			const d = s.getData(), points = d.getLayout("points");
			for (let i = 0; i < d.count(); i++) {
				const l = d.getItemLayout(i), el = d.getItemGraphicEl(i), r = s.subType === "custom" && el && el.getBoundingRect();
				if (s.subType === "line" && points) { add(0, points[2 * i]); add(1, points[2 * i + 1]); }
				else if (Array.isArray(l) && typeof l[0] === "number") { add(0, l[0]); add(1, l[1]); }
				else if (r) { add(0, r.x); add(0, r.x + r.width); add(1, r.y); add(1, r.y + r.height); }
				else if (s.subType === "heatmap" && el) { items++; continue; }
				else if (l && l.width !== undefined) { add(0, l.x); add(0, l.x + l.width); add(1, l.y); add(1, l.y + l.height); }
				else continue;
				items++;
			}
			for (const t of (s.get("markLine") || {}).data || []) add(1, c.convertToPixel({yAxisIndex: 0}, t.yAxis));
		});
		if (items === 0 && !c.getOption().title) say("opens empty");
		const grid = m.getComponent("grid");
		if (!grid || items === 0) continue;
		const r = grid.coordinateSystem.getRect(), whole = [[r.x, r.width], [r.y, r.height]];
		const part = whole.map(([from, size], k) => (Math.min(ends[k][1], from + size) - Math.max(ends[k][0], from)) / size), names = ["xAxis", "yAxis"].map(n => m.getComponent(n, 0));
		if (names.some(a => !a.get("show"))) { // a drawing without axes
			if (Math.max(...part) < 0.7) say("takes up " + part.map(p => Math.round(100 * p)) + " % of its place");
		} else names.forEach((a, k) => {
			if (a.get("type") !== "category" && part[k] < 0.7 && items > 1) say("takes up " + Math.round(100 * part[k]) + " % of " + "xy"[k]);
		});
		for (const t of svg.querySelectorAll("text")) {
			if (t.closest("[clip-path]")) continue; // legends scroll their names
			const q = t.getBoundingClientRect();
			if (t.textContent.trim() && (q.left < at.left - 3 || q.right > at.right + 3 || q.top < at.top - 3 || q.bottom > at.bottom + 3)) say("cuts " + t.textContent);
		}
	}
	return out;
})()`

// curved checks the curves and the bands of a page.
func (v *visit) curved(name string) {
	v.Helper()
	for _, s := range read[[]string](v, broken, source(v, "10-columns.js")) {
		v.Errorf("%s: %s", name, s)
	}
}

// settled waits until all charts of a page are drawn in the size of their places. The window is high enough for all.
func (v *visit) settled() {
	v.Helper()
	v.Await(`[...document.querySelectorAll(".chart")].every(e => !e.offsetWidth ||
		(c => c && c.getWidth() === e.clientWidth && c.getHeight() === e.clientHeight)(echarts.getInstanceByDom(e)))`)
	// A chart knows its size at once, but is drawn in the next frame.
	read[bool](v, "%s", "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}

// laid checks the geometry of a page in its current state.
func (v *visit) laid(name string) {
	v.Helper()
	for _, s := range read[[]string](v, "%s", misplaced) {
		v.Errorf("%s: %s", name, s)
	}
	over := read[[]string](v, "%s", `[...document.querySelectorAll(".chart")].filter(e => e.offsetWidth && e.querySelector("svg"))
		.flatMap(e => `+overprinted+`(e.id).map(t => e.id + ": " + t))`)
	for _, s := range over {
		v.Errorf("%s: text on text in %s", name, s)
	}
}

// paper checks the geometry of a page on paper: 18 cm wide, with all charts and legends and without controls.
func (v *visit) paper(name string) {
	v.Helper()
	const width = 680
	read[bool](v, `dispatchEvent(new Event("beforeprint"))`) // as in a browser, before the page is laid out on paper
	v.Resize(width, 900)
	v.Show("print", "light")
	v.laid(name + " on paper")
	left := read[[]string](v, `[...document.querySelectorAll(".controls, .save, nav, .theme")].filter(e => e.offsetWidth)
		.map(e => e.className || e.tagName)`)
	if len(left) > 0 {
		v.Errorf("%s: on paper there are %q", name, left)
	}
	lost := read[[]string](v, `[...document.querySelectorAll(".chart")].filter(e => e.offsetWidth).flatMap(e => {
		const o = echarts.getInstanceByDom(e).getOption(), texts = [...e.querySelectorAll("svg text")].map(t => t.textContent);
		if (!(o.legend || []).length || o.legend[0].show === false) return [];
		return [...new Set(o.series.filter(s => !["custom", "heatmap"].includes(s.type)).map(s => o.legend[0].formatter(s.name)))].filter(n => n.trim() && !texts.includes(n)); })`)
	if len(lost) > 0 {
		v.Errorf("%s: on paper the legend lacks %q", name, lost)
	}
	read[bool](v, `dispatchEvent(new Event("afterprint"))`)
	v.Show("", "light")
}

// broken lists faults of curves and bands. A band must have both ends at every sample of its median. A curve must
// reach the last sample of its run or, for a median, of the longest seed. A run that did not end well must end at
// a cross. It starts with the page's own code that reads columns.
const broken = `(() => { %s
	if (!document.getElementById("data")) return []; // an index
	const out = [], data = JSON.parse(document.getElementById("data").textContent), list = a => a || [];
	for (const id of ["curves", "parameter"]) {
		const e = document.getElementById(id), c = e && e.offsetWidth && echarts.getInstanceByDom(e);
		if (!c) continue;
		const m = c.getModel(), o = c.getOption(), r = m.getComponent("grid").coordinateSystem.getRect(), say = text => out.push(id + ": " + text);
		const inside = ([x, y]) => [x, Math.min(Math.max(y, r.y), r.y + r.height)];
		const drawn = new Map(); // the corners of all bands, by place
		const key = (x, y) => Math.round(x) + "," + Math.round(y);
		for (const p of e.querySelectorAll("svg path[fill-opacity='0.18']")) {
			const at = p.getCTM(), zero = e.querySelector("svg").getCTM();
			for (const [, x, y] of p.getAttribute("d").matchAll(/[ML]\s*([-\d.e]+)[\s,]([-\d.e]+)/g)) drawn.set(key(+x + at.e - zero.e, +y + at.f - zero.f), true);
		}
		const there = ([x, y]) => [-1, 0, 1].some(i => [-1, 0, 1].some(j => drawn.has(key(x + i, y + j))));
		const ends = new Set(), metric = id === "curves" && +document.getElementById("curves-controls").elements.y.value, near = v => v === null ? "" : v.toPrecision(5);
		if (id === "curves") for (const l of [...list(data.runs), ...list(data.means)]) {
			const ys = list(l.curve.values)[metric] == null ? [] : value(l.curve.values, l.curve, metric);
			if (ys.length) ends.add(l.curve.iterations.at(-1) + ":" + near(ys.at(-1)));
		}
		o.series.forEach((s, i) => {
			const [kind, n] = s.id.split(" ");
			if (kind === "curve" && s.data.length && !s.data.at(-1).label) {
				const [, y, k] = s.data.at(-1).value;
				if (!ends.has(k + ":" + near(y))) say(s.name + " ends at iteration " + k + " and " + y + ", which is no last sample");
			}
			if (kind !== "band") return;
			const d = m.getSeriesByIndex(i).getData();
			for (let k = 0; k < d.count(); k++) for (const p of d.getItemGraphicEl(k).shape.points) if (!there(inside(p))) say("the band of " + s.name + " lacks the corner " + p);
			if (id !== "curves") return;
			const line = o.series.findIndex(q => q.id === "curve " + n);
			let lacking = 0;
			for (const {value: [x,,, low, high]} of o.series[line].data) for (const v of [low, high])
				if (!there(inside(c.convertToPixel({seriesIndex: line}, [x, v > 0 || o.yAxis[0].type !== "log" ? v : o.yAxis[0].min])))) lacking++;
			if (lacking) say("the band of " + s.name + " lacks " + lacking + " ends, of " + 2 * o.series[line].data.length);
		});
	}
	return out;
})()`
