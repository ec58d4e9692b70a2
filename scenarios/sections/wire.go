package sections

import (
	"slices"

	"tallynet/channel"
	"tallynet/scenarios/keys"
)

// WireKey declares the key wire: the number format of messages, or their compression.
func WireKey() keys.Param {
	entries := formats()
	share := keys.Param{Name: "share", Title: "share sent", Kind: keys.Float, Required: true, Example: "0.1",
		Range: keys.AboveUpTo(0, 1), About: "the share k/d of the elements that is sent, at least one of them"}
	unbiased := keys.Param{Name: "unbiased", Kind: keys.Bool, Default: false,
		About: "whether the expected received value equals the sent one; otherwise it is shrunk, which makes the " +
			"error smaller than the array, as feedback and difference need"}
	for _, e := range []keys.Entry{
		{Name: "top-k", Summary: "the largest elements: for each, an index of ceil(log2 d) bits and a number",
			Params: []keys.Param{share}},
		{Name: "random-k", Summary: "random elements, with their indices", Params: []keys.Param{share, unbiased}},
		{Name: "qsgd", Summary: "the norm, and each element as a share of it, rounded at random (Alistarh et al.)",
			Params: []keys.Param{{Name: "levels", Kind: keys.Int, Required: true, Example: "4", Range: keys.Between(1, 1<<20),
				About: "shares of the norm: ceil(log2(levels + 1)) bits and a sign for each element"}, unbiased}},
		{Name: "sign", Summary: "the mean magnitude, and a bit for each sign"},
		{Name: "int8", Summary: "the largest magnitude over 127 as the scale, and a byte for each element, rounded " +
			"to nearest, ties to even"},
		{Name: "low-rank", Summary: "two factors of a matrix (Vogels et al.); a vector is sent whole", Params: []keys.Param{
			{Name: "rank", Kind: keys.Int, Required: true, Example: "2", Range: keys.Between(1, 1e6),
				About: "columns of a factor"}}},
	} {
		e.Label = e.Name
		e.Params = append(e.Params, compressKeys()...)
		entries = append(entries, e)
	}
	return keys.Param{Name: "wire", Kind: keys.Variant, Default: "float64", Example: "float32",
		About:    "the format of numbers on the wire, or the compression of messages",
		Variants: &keys.Variants{Key: "compress", What: "wire format", Entries: entries}}
}

// compressKeys declares the keys that all compressors have.
func compressKeys() []keys.Param {
	return []keys.Param{
		{Name: "format", Kind: keys.Enum, Default: "float64", Enum: []string{"float64", "float32"},
			About: "of numbers that are sent as they are"},
		{Name: "memory", Kind: keys.Enum, Default: "difference", Enum: []string{"difference", "feedback", "none"},
			About: "difference: the compressed message is the difference to the values that receivers have, and " +
				"they add it (CHOCO, EF21); feedback: the part that was not sent is added to the next message; " +
				"none: each message by itself"},
		{Name: "step", Title: "consensus step", Kind: keys.Float, Default: 0.5, Only: "memory: difference", Example: "0.5",
			Range: keys.AboveUpTo(0, 1),
			About: "the consensus step gamma: x <- x + gamma (W - I) h, where h are the copies that nodes have of each " +
				"other; the coarser the compression, the smaller",
			Source: "Koloskova, Stich, Jaggi, ICML 2019"},
		{Name: "direction", Kind: keys.Enum, Default: "both", Enum: []string{"both", "up"},
			About: "both, or up: messages from a server are not compressed"},
	}
}

// formats returns the number formats, which do not compress.
func formats() []keys.Entry {
	return []keys.Entry{
		{Name: "float64", Label: "float64", Summary: "every bit, 8 bytes a number"},
		{Name: "float32", Label: "float32", Summary: "IEEE 754 binary32, 4 bytes"},
		{Name: "float16", Label: "float16", Summary: "IEEE 754 binary16, 2 bytes"},
		{Name: "bfloat16", Label: "bfloat16", Summary: "the range of float32 with 8 bits of precision, 2 bytes"},
	}
}

// Compresses reports whether wire names a compressor and not a number format.
func Compresses(wire string) bool {
	return !slices.ContainsFunc(formats(), func(e keys.Entry) bool { return e.Name == wire })
}

// SetWire sets the codec that wire names, or the compressor that a describes.
func (s *Site) SetWire(wire string, a keys.Args) (err error) {
	cfg := &s.Engine
	if !Compresses(wire) {
		if cfg.Codec, err = channel.NewCodec(wire); err != nil {
			return s.Fail("wire", "%w", err)
		}
		return nil
	}
	memories := map[string]channel.Memory{
		"none":       channel.NoMemory,
		"feedback":   channel.Feedback,
		"difference": channel.Difference,
	}
	cfg.Codec = channel.Float64{}
	cfg.Compress = &channel.Compression{
		Compressor: compressor(a),
		Width:      64,
		Memory:     memories[a.String("memory")],
		Step:       a.Float("step"),
		UpOnly:     a.String("direction") == "up",
	}
	if cfg.Compress.Memory != channel.Difference {
		cfg.Compress.Step = 1
	}
	if a.String("format") == "float32" {
		cfg.Compress.Width, cfg.Codec = 32, channel.Float32
	}
	return nil
}

func compressor(a keys.Args) channel.Compressor {
	contract := !keys.Optional[bool](a, "unbiased")
	switch a.Kind() {
	case "top-k":
		return channel.TopK{Share: a.Float("share")}
	case "random-k":
		return channel.RandomK{Share: a.Float("share"), Contract: contract}
	case "qsgd":
		return channel.QSGD{Levels: a.Int("levels"), Contract: contract}
	case "sign":
		return channel.Sign{}
	case "int8":
		return channel.Int8{}
	case "low-rank":
		return channel.LowRank{Rank: a.Int("rank")}
	}
	panic("sections: no compressor " + a.Kind())
}
