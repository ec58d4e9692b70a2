package node

import "tallynet/channel"

// twoRacks has nodes 0 and 1 in one rack, 2 and 3 in another. Links 2i and 2i + 1 lead from and
// to node i, and link 8 between the racks is half duplex.
var twoRacks = channel.Platform{
	Links: append(gigabits(8), channel.PhysicalLink{Name: "between racks", BitsPerSecond: 1e9}),
	Route: func(from, to int) ([]int, error) {
		if from/2 == to/2 {
			return []int{2 * from, 2*to + 1}, nil
		}
		return []int{2 * from, 8, 2*to + 1}, nil
	},
}

func gigabits(n int) []channel.PhysicalLink {
	links := make([]channel.PhysicalLink, n)
	for i := range links {
		links[i].BitsPerSecond = 1e9
	}
	return links
}
