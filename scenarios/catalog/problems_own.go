package catalog

import (
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
)

// dataKinds returns the data sets that fit the loss.
func dataKinds(loss string) []keys.Entry {
	all := []keys.Entry{
		{Name: "synthetic", Summary: "drawn at random from a linear model"},
		{Name: "mnist", Summary: "digits"},
		{Name: "fashion-mnist", Summary: "images of clothes, in your own folder"},
		{Name: "mushroom", Summary: "UCI's mushrooms, edible or not"},
		{Name: "file", Summary: "a file of your own", Params: ownParams(loss)},
	}
	return slices.DeleteFunc(all, func(e keys.Entry) bool {
		switch loss {
		case "least-squares":
			return e.Name != "synthetic" && e.Name != "file"
		case "images":
			return e.Name == "mushroom"
		}
		return false
	})
}

// ownParams returns the keys of a user's own file.
func ownParams(loss string) []keys.Param {
	share := func(name string, standard float64, about string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Float, Default: standard, Example: keys.FormatFloat(standard),
			Range: keys.Between(0, 1e6), About: about}
	}
	split := keys.Param{Name: "split", Kind: keys.Section, Example: "{train: 3, val: 1, test: 1}",
		About: "the shares of each node's samples, in proportion",
		Params: []keys.Param{share("train", 2, "training samples, behind g"),
			share("val", 2, "validation samples, behind f; of a problem without g, they train too"),
			share("test", 1, "test samples, which no node keeps; none where targets are numbers or test_file is given")}}
	ps := []keys.Param{
		{Name: "file", Kind: keys.Path, Required: true, Example: "mine.csv",
			About: "CSV, TSV, npy, npz, svmlight or idx, by its name or its first bytes; with or without gzip"},
		{Name: "target", Kind: keys.String, Example: "price",
			About: "the column of the targets, or the last one; in npy its number 1, 2, ..., in npz an array, or y"},
		{Name: "features", Kind: keys.Strings, Example: "[age, weight]", About: "CSV: the columns used, or all others"},
		{Name: "ignore", Kind: keys.Strings, Example: "[id]", About: "CSV: columns that are not features"},
		{Name: "header", Kind: keys.Bool, Default: true,
			About: "CSV: the first row names the columns, else they are 1, 2, ..."},
		{Name: "delimiter", Kind: keys.String, Example: "tab",
			About: "CSV: one character, or tab; a comma, or a tab in .tsv"},
		{Name: "labels", Kind: keys.Path, Example: "labels.idx", About: "npy and idx: the file of the targets"},
		{Name: "array", Kind: keys.String, Example: "X", About: "npz: the array of the features, or X"},
		{Name: "first_index", Kind: keys.Int, Default: 1, Example: "0", Range: keys.Between(0, 1),
			About: "svmlight: the index of the first feature: 1, or 0 as scikit-learn writes it"},
		{Name: "test_file", Kind: keys.Path, Example: "test.csv", About: "test samples, of the same columns"},
		{Name: "test_labels", Kind: keys.Path, With: "test_file", Example: "test-labels.idx",
			About: "npy and idx: the targets of test_file"},
		{Name: "node_column", Kind: keys.String, Example: "site",
			About: "CSV: the column that says the node, for partition: column; its values in ascending order are the nodes"},
		split,
		{Name: "standardize", Kind: keys.Bool, Default: false,
			About: "shift and scale each feature to mean 0 and variance 1 over all training samples"},
	}
	if loss == "least-squares" || loss == "ridge" {
		return ps
	}
	return append(ps, keys.Param{Name: "classes", Kind: keys.Strings, Example: "[no, yes]",
		About: "the classes used, in their order, or all, ascending; of two, the second is +1"})
}

// ownPartition returns the keys of the partition of samples over nodes.
func ownPartition(only string, kinds []string) []keys.Param {
	return []keys.Param{
		{Name: "partition", Kind: keys.Enum, Default: "iid", Only: only, Example: "iid", Enum: kinds,
			About: "how samples are dealt out; shards is another word for by-label, column and sizes are for a file"},
		{Name: "sizes", Kind: keys.Ints, Only: "data: file", Example: "[100, 50, 200]", Range: keys.Between(1, 1e9),
			About: "samples of each node, validation and test included; one number for all; by default all samples, " +
				"equally"},
	}
}

// checkOwn checks keys that depend on each other.
func checkOwn(a keys.Args) *keys.ParamError {
	d := a.Section("data")
	partition := keys.Optional[string](a, "partition")
	if d.Kind() != "file" {
		if partition == "column" || partition == "sizes" {
			return &keys.ParamError{Param: "partition", Message: "partition: " + partition +
				" is for data in a file of your own",
				Hint: "write data: {file: mine.csv}, or another partition"}
		}
		return nil
	}
	switch {
	case partition == "column" && !d.Has("node_column"):
		return &keys.ParamError{Param: "partition", Message: "which column says the node is missing",
			Hint: "write data: {file: ..., node_column: site}"}
	case partition != "column" && d.Has("node_column"):
		return &keys.ParamError{Param: "data", Message: "node_column is used only with partition: column",
			Hint: "write partition: column"}
	case partition == "sizes" && !a.Has("sizes"):
		return &keys.ParamError{Param: "partition", Message: "the sizes are missing", Hint: "write sizes: [100, 50, 200]"}
	case partition == "column" && a.Has("sizes"):
		return &keys.ParamError{Param: "sizes", Message: "the column says how many samples each node has",
			Hint: "leave it out"}
	case d.Section("split").Float("train") == 0:
		return &keys.ParamError{Param: "data", Message: "the share of training samples is 0",
			Hint: "write split: {train: 3, ...}"}
	}
	return nil
}

func partitionFrom(a keys.Args) data.Partition {
	p := data.Partition{Kind: a.String("partition"), Shards: keys.Optional[int](a, "shards"),
		Concentration: keys.Optional[float64](a, "concentration"), Own: keys.Optional[float64](a, "own_share")}
	switch p.Kind {
	case "shards":
		p.Kind = "by-label"
	case "sizes", "column":
		p.Kind = "iid"
	}
	return p
}

// ownFrom reads the user's files.
func ownFrom(a keys.Args, env ProblemEnv) (*problems.Own, error) {
	d := a.Section("data")
	o := &problems.Own{Classes: keys.Optional[[]string](d, "classes"), Standardize: d.Bool("standardize"),
		Partition: partitionFrom(a), Sizes: a.Ints("sizes"), ByGroup: a.String("partition") == "column"}
	d.Section("split").Fill(&o.Split)
	options := data.TableOptions{Target: d.String("target"), Columns: d.Strings("features"), Ignore: d.Strings("ignore"),
		Groups: d.String("node_column"), NoHeader: !d.Bool("header"), Delimiter: d.String("delimiter"),
		Array: d.String("array"), FirstIndex: d.Int("first_index")}
	var err error
	if o.Table, err = readOwn(d, env, "file", "labels", options); err != nil || !d.Has("test_file") {
		return o, err
	}
	options.Width = len(o.Table.Features)
	o.Test, err = readOwn(d, env, "test_file", "test_labels", options)
	return o, err
}

func readOwn(d keys.Args, env ProblemEnv, file, labels string, o data.TableOptions) (*data.Table, error) {
	path := keys.InFolder(env.Dir, d.String(file))
	if d.Has(labels) {
		o.Labels = keys.InFolder(env.Dir, d.String(labels))
	}
	t, err := env.Data.Table(path, o, env.Budget)
	return t, keys.OfFile("data."+file, path, err)
}
