package sections

import (
	"slices"

	"tallynet/metrics"
	"tallynet/scenarios/keys"
)

// TariffsKey declares the section tariffs: what machines and links cost, in energy and in money.
func TariffsKey() keys.Param {
	power := func(name, about string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Watts, Example: "50W", Range: keys.AtLeast(0), About: about}
	}
	idle := power("idle", "the power of a machine that does not compute")
	busy := power("busy", "its power while it computes")
	busyHere := busy
	busyHere.Derived, busyHere.Derive = "as idle", func(here, _ keys.Args) any { return here.Value("idle") }
	hour := keys.Param{Name: "price", Title: "price of machines", Kind: keys.HourPrice, Example: "0.5/h",
		Range: keys.AtLeast(0), About: "of the time of a machine, in any currency"}
	energy := keys.Param{Name: "energy", Title: "energy of links", Kind: keys.ByteEnergy, Example: "10nJ/B",
		Range: keys.AtLeast(0), About: "of each byte on a link, headers included"}
	price := keys.Param{Name: "price", Title: "price of links", Kind: keys.BytePrice, Example: "0.09/GB",
		Range: keys.AtLeast(0), About: "of the bytes on a link, headers included, in the same currency"}
	const end = "one end of a link that is a line of its own"
	return keys.Param{Name: "tariffs", Kind: keys.Section, Example: "{machine: {idle: 50W, busy: 200W}}",
		About: "the prices of machines and links, in energy and in money; both are costs like bytes: in all tables, to a " +
			"target, for each node and link",
		Params: []keys.Param{
			{Name: "machine", Kind: keys.Section, Example: "{idle: 50W, busy: 200W, price: 0.5/h}",
				About: "each node is a machine, and is on from the beginning to the end, or to the moment of a target",
				Params: []keys.Param{withDefault(idle, keys.Power(0)), busyHere, withDefault(hour, keys.PricePerHour(0)),
					{Name: "nodes", Kind: keys.Sections, About: "nodes whose machines differ",
						Params: []keys.Param{nodeKey(), inherited(idle, "machine"), inherited(busy, "machine"),
							inherited(hour, "machine")}},
				}},
			{Name: "link", Kind: keys.Section, Example: "{energy: 10nJ/B, price: 0.09/GB}",
				About: "each physical link that a message crosses, or the line of an edge if there is no platform; the " +
					"sender pays, when it sends; a transmission on a broadcast medium is paid once",
				Params: []keys.Param{withDefault(energy, keys.EnergyPerByte(0)), withDefault(price, keys.PricePerGigabyte(0)),
					{Name: "links", Kind: keys.Sections, About: "links that differ",
						Params: []keys.Param{
							{Name: "name", Kind: keys.String, Example: "rack0*",
								About: "the physical links of a platform with this name, in which * matches any text without a /"},
							endKey("from", "0", end), endKey("to", "0", end),
							{Name: "oneway", Kind: keys.Bool, Default: false, About: "only the direction from -> to differs"},
							inherited(energy, "link"), inherited(price, "link"),
						}},
				}},
		}}
}

// CheckTariffs checks the section tariffs.
func CheckTariffs(r *keys.Reader, a, platform, network keys.Args, nodes int) {
	machine, link := a.Section("machine"), a.Section("link")
	if machine.Read() {
		checkPower(r, machine)
		checkExceptions(r, machine.Sections("nodes"), nodes, "machine", "idle", "busy", "price")
		for _, x := range machine.Sections("nodes") {
			checkPower(r, x)
		}
	}
	if !link.Read() || !network.Read() {
		return
	}
	shared := platform.Read() || network.String("contention") == "nic"
	for _, x := range link.Sections("links") {
		if !x.Given("energy") && !x.Given("price") {
			r.Fail(x.Pos(), x.Path(""), "give energy or price", "the link differs in nothing")
		}
		switch ends := x.Given("from") && x.Given("to"); {
		case shared && !x.Given("name"):
			r.Fail(x.Pos(), x.Path(""), "simulate topology shows the names of links", "name is missing: with a platform, "+
				"physical links are paid for")
		case !shared && x.Given("name"):
			r.Fail(x.PosOf("name"), x.Path("name"), "write from: 0, to: 1", "there is no platform, so links have no names")
		case !shared && !ends:
			r.Fail(x.Pos(), x.Path(""), "write from: 0, to: 1", "want the two nodes of the link")
		case shared && (x.Given("from") || x.Given("to")):
			r.Fail(x.Pos(), x.Path(""), "keep name", "with a platform, physical links are paid for: they have names, not nodes")
		}
		checkPattern(r, x)
		checkNodes(r, x, "from", nodes)
		checkNodes(r, x, "to", nodes)
	}
}

// checkPower checks that a machine draws at least as much power busy as idle.
func checkPower(r *keys.Reader, a keys.Args) {
	if busy, idle := keys.Get[keys.Power](a, "busy"), keys.Get[keys.Power](a, "idle"); busy < idle {
		r.Fail(a.Pos(), a.Path(""), "", "a machine draws %v while it computes and %v otherwise: want no less while it "+
			"computes", busy, idle)
	}
}

// SetTariffs sets the tariffs, if the scenario has any. It must be called after SetNetwork.
func (s *Site) SetTariffs(a keys.Args) error {
	if !a.Read() {
		return nil
	}
	cfg := &s.Engine
	machine := func(a keys.Args) metrics.MachineTariff {
		return metrics.MachineTariff{IdleMicrowatts: int64(keys.Get[keys.Power](a, "idle")),
			BusyMicrowatts: int64(keys.Get[keys.Power](a, "busy")),
			NanosPerHour:   int64(keys.Get[keys.PricePerHour](a, "price"))}
	}
	cfg.Tariffs = &metrics.Tariffs{Machines: perNode(a.Section("machine"), s.Graph.Nodes(), machine)}
	var err error
	if names := s.linkNames(); names != nil {
		cfg.Tariffs.Links, err = s.namedTariffs(a.Section("link"), names)
	} else {
		cfg.Tariffs.Links, err = s.edgeTariffs(a.Section("link"))
	}
	return err
}

func linkTariff(a keys.Args) metrics.LinkTariff {
	return metrics.LinkTariff{FemtojoulesPerByte: int64(keys.Get[keys.EnergyPerByte](a, "energy")),
		NanosPerGigabyte: int64(keys.Get[keys.PricePerGigabyte](a, "price"))}
}

// namedTariffs returns the tariffs of physical links. If several patterns match a link, the last one applies.
func (s *Site) namedTariffs(a keys.Args, names []string) ([]metrics.LinkTariff, error) {
	all := slices.Repeat([]metrics.LinkTariff{linkTariff(a)}, len(names))
	for _, x := range a.Sections("links") {
		links, err := s.matchingLinks(x, names)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			all[l] = linkTariff(x)
		}
	}
	return all, nil
}

// edgeTariffs returns the tariffs of dedicated links in the engine's order: by node, then by neighbour.
func (s *Site) edgeTariffs(a keys.Args) ([]metrics.LinkTariff, error) {
	special, err := s.perDirection(a.Sections("links"))
	if err != nil {
		return nil, err
	}
	var all []metrics.LinkTariff
	for i := range s.Graph.Nodes() {
		for _, j := range s.Graph.Neighbors(i) {
			x, ok := special[[2]int{i, j}]
			if !ok {
				x = a
			}
			all = append(all, linkTariff(x))
		}
	}
	return all, nil
}
