package sections

import (
	"tallynet/channel"
	"tallynet/scenarios/keys"
	"tallynet/sim"
)

// lossKey declares network.loss.
func lossKey() keys.Param {
	titles := map[string]string{"p": "loss probability", "bad": "loss in bursts", "good": "loss between bursts"}
	chance := func(name, example, about string, required bool) keys.Param {
		p := keys.Param{Name: name, Title: titles[name], Kind: keys.Float, Example: example, Range: keys.Between(0, 1),
			About: about, Required: required}
		if !required {
			p.Default = 0.0
		}
		return p
	}
	return keys.Param{Name: "loss", Kind: keys.Variant, Example: "{kind: independent, p: 0.01}",
		About: "messages that are lost where they would arrive; none by default",
		Variants: &keys.Variants{Key: "kind", What: "loss", Entries: []keys.Entry{
			{Name: "none", Summary: "nothing is lost, except on links and hosts that go down", Params: retransmissionKeys()},
			{Name: "independent", Summary: "each message by itself", Params: append([]keys.Param{
				chance("p", "0.01", "the probability that a message is lost", true)}, retransmissionKeys()...),
				Check: func(a keys.Args) *keys.ParamError {
					if a.Float("p") == 1 && retransmitsForever(a) {
						return &keys.ParamError{Param: "p", Message: "at 1 every attempt is lost, and the sender would try for " +
							"ever: choose a smaller p, set attempts, or policy: drop"}
					}
					return nil
				}},
			{Name: "bursts", Summary: "each link is good or bad for a time (Gilbert, Elliott)", Params: append([]keys.Param{
				chance("enter", "0.01", "the probability that a good link is bad at its next message", true),
				chance("leave", "0.25", "the probability that a bad link is good at its next message", true),
				withDefault(chance("bad", "0.5", "the probability that a bad link loses a message", false), 1.0),
				chance("good", "0.001", "the probability that a good link loses one", false)}, retransmissionKeys()...),
				Check: func(a keys.Args) *keys.ParamError {
					switch {
					case a.Float("enter")+a.Float("leave") == 0:
						return &keys.ParamError{Param: "leave", Message: "enter and leave are both 0: no link would ever change"}
					case a.Float("bad") == 1 && (a.Float("leave") == 0 || a.Float("good") == 1) && retransmitsForever(a):
						return &keys.ParamError{Param: "bad", Message: "at 1 every attempt on a bad link is lost, no link recovers " +
							"from that, and the sender would try for ever: choose a smaller bad, set attempts, or policy: drop"}
					}
					return nil
				}},
		}}}
}

// retransmitsForever reports whether a message is retransmitted until it arrives.
func retransmitsForever(a keys.Args) bool {
	return a.String("policy") == "retransmit" && a.Int("attempts") == 0
}

// The parameters of retransmission where network.loss is not given.
const (
	defaultTimeout = 200 * sim.Millisecond
	defaultBackoff = 2.
)

// retransmissionKeys declares what follows a loss, including one by an outage.
func retransmissionKeys() []keys.Param {
	return []keys.Param{
		{Name: "policy", Title: "loss policy", Kind: keys.Enum, Default: "retransmit", Enum: []string{"retransmit", "drop"},
			About: "retransmit: the sender sends again until the message arrives, in order; each attempt takes its " +
				"time and counts as retransmitted bytes; drop: a lost message never arrives"},
		{Name: "timeout", Kind: keys.Duration, Default: defaultTimeout, Only: "policy: retransmit", Example: "200ms",
			Range: keys.Above(0), About: "the time from when a lost attempt would have arrived to the next attempt",
			Source: "the least timeout of TCP in Linux"},
		{Name: "backoff", Kind: keys.Float, Default: defaultBackoff, Only: "policy: retransmit", Example: "2",
			Range: keys.Between(1, 100), About: "the factor by which each further timeout of a message is longer, up to 60 s",
			Source: "RFC 6298"},
		{Name: "attempts", Kind: keys.Int, Only: "policy: retransmit", Example: "5", Range: keys.Between(1, 1e6),
			About: "the number of attempts after which a message is lost for good; no limit by default"},
	}
}

// lossModel returns the loss of messages and their retransmission, which is nil for policy: drop.
func lossModel(a keys.Args) (channel.Loss, *channel.Retransmission) {
	kinds := map[string]channel.LossKind{"independent": channel.Independent, "bursts": channel.Bursts}
	loss := channel.Loss{Kind: kinds[a.Kind()]}
	a.Fill(&loss)
	if a.String("policy") == "drop" {
		return loss, nil
	}
	again := new(channel.Retransmission)
	a.Fill(again)
	return loss, again
}
