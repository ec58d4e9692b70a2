package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// Limits of the table of the platform: links of a run, connections of a link, and rows.
const mostLinks, mostUsers, mostPlatformRows = 8, 3, 400

// platformRow is a physical link in the table of the platform.
type platformRow struct {
	method string
	point  result.Settings
	physicalUse
}

// addPlatform keeps the busiest physical links of a group's first run, with the connections that used them.
func (b *Builder) addPlatform(g *group, r *result.Run) {
	if r.Physical == nil || len(g.runs) > 1 || len(b.platform) >= mostPlatformRows {
		return
	}
	b.assumed = list.Add(b.assumed, r.Physical.Assumed...)
	for _, use := range busiest(r, mostLinks) {
		b.platform = append(b.platform, platformRow{r.Label, r.Point, use})
	}
}

// mostPhysical limits the physical links in the detail of a run.
const mostPhysical = 30

// busiest returns at most the given number of physical links, the highest utilisation first. It omits links
// without messages.
func busiest(r *result.Run, most int) []physicalUse {
	links := slices.Clone(r.PlatformLinks)
	slices.SortStableFunc(links, func(a, b result.PlatformLinkRow) int {
		return cmp.Or(cmp.Compare(b.Utilisation, a.Utilisation), cmp.Compare(b.Busy, a.Busy), cmp.Compare(b.Bytes, a.Bytes))
	})
	var all []physicalUse
	for _, l := range links[:min(most, len(links))] {
		if l.Messages == 0 {
			break
		}
		u := physicalUse{Name: l.Link, Bytes: l.Bytes, Messages: l.Messages, Busy: l.Busy.Seconds(), Share: l.Utilisation,
			Users: usersOf(r, l.Link)}
		if !math.IsInf(l.BitsPerSecond, 0) {
			u.Rate = column{l.BitsPerSecond}
		}
		all = append(all, u)
	}
	return all
}

// usersOf lists the connections that sent most bytes over a link, with their shares.
func usersOf(r *result.Run, link string) string {
	var users []result.CrossingRow
	total := int64(0)
	for _, c := range r.Crossings {
		if c.Link == link && c.Bytes > 0 {
			users = append(users, c)
			total += c.Bytes
		}
	}
	slices.SortStableFunc(users, func(a, b result.CrossingRow) int { return cmp.Compare(b.Bytes, a.Bytes) })
	var words []string
	for _, c := range users[:min(mostUsers, len(users))] {
		to := fmt.Sprint(c.To)
		if c.To < 0 {
			to = "all"
		}
		words = append(words, fmt.Sprintf("%d → %s: %.0f %%", c.From, to, 100*float64(c.Bytes)/float64(total)))
	}
	if n := len(users) - len(words); n > 0 {
		words = append(words, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(words, ", ")
}

// platformTable returns the table of physical links. It has no rows if no run used a platform.
func (b *Builder) platformTable(points []fold.Point) table.Table {
	t := table.Table{Title: "The platform: links that carried most, and for whom", Columns: []table.Column{
		{Name: "method"}, {Name: "point"}, {Name: "link"}, {Name: "Mbit/s", Unit: metrics.Number},
		{Name: "bytes", Unit: metrics.Bytes}, {Name: "messages", Unit: metrics.Count},
		{Name: "busy", Unit: metrics.Seconds}, {Name: "utilisation (%)", Unit: metrics.Number}, {Name: "connections"}}}
	for _, r := range b.platform {
		at := slices.IndexFunc(points, func(p fold.Point) bool { return p.Settings.Equal(r.point) })
		if at < 0 {
			continue
		}
		rate := table.Text("unlimited")
		if r.Rate != nil {
			rate = table.Number(r.Rate[0] / 1e6)
		}
		t.Rows = append(t.Rows, []table.Cell{table.Text(r.method), table.Text(points[at].Name), table.Text(r.Name), rate,
			table.Integer(r.Bytes), table.Integer(r.Messages), table.Number(r.Busy), table.Number(100 * r.Share),
			table.Text(r.Users)})
	}
	t.Note(fmt.Sprintf("Of the first run of each method and point, %d links at most; "+
		"platform_links.csv and platform_flows.csv have all.", mostLinks))
	for _, note := range b.assumed {
		t.Note("Assumed of the platform: " + note + ".")
	}
	return t
}
