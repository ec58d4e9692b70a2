package result

// Compared is a setting of a paper beside that of the scenario.
type Compared struct {
	Fact    string // of the paper; "" if it does not state the setting
	Name    string
	Paper   string // what the paper prints
	Here    string
	Differs bool
	Reason  string // why
}
