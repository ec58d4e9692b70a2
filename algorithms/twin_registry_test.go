package algorithms_test

import (
	"testing"

	"tallynet/scenarios/catalog"
)

// twins lists the tests that compare a method of the catalog with its stacked twin.
func twins() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"gossip": TestGossipTwin, "dgd": TestDGDTwin, "gradient-tracking": TestGradientTrackingTwin, "extra": TestEXTRATwin,
		"choco-sgd": TestCHOCOTwin, "lead": TestLEADTwin,
		"c2dfb": TestC2DFBTwin, "c-soba": TestCSOBATwin, "cm-soba": TestCSOBATwin, "ef-soba": TestCSOBATwin,
		"push-sum": TestPushSumTwin, "sgp": TestSGPTwin, "push-pull": TestPushPullTwin,
		"allreduce-gd": TestAllReduceTwin, "async-dgd": TestAsyncInStep, "async-l-pdbo": TestAsyncInStep,

		"dagm": TestDAGMTwin, "dgbo": TestDGBOTwin, "dbo": TestDBOTwin, "dbogt": TestDBOGTTwin, "dsbo": TestDSBOTwin,
		"ma-dbo": TestMADBOTwin, "l-pdbo": TestLPDBOTwin, "spdb": TestSPDBTwin, "interact": TestINTERACTTwin,
		"prometheus": TestPrometheusTwin, "mdbo": TestMDBOTwin, "vrdbo": TestMDBOTwin, "sldbo": TestSLDBOTwin,
		"d-soba": TestDSOBATwin, "penalty-gt": TestPenaltyGTTwin,

		"fednest": TestFedNestTwin, "lfednest": TestLFedNestTwin, "centralized-dagm": TestCentralizedDAGMTwin,

		"aid": TestAIDTwin, "aid-fp": TestAIDTwin, "aid-cg": TestAIDTwin, "itd": TestITDTwin, "reverse": TestITDTwin,
		"ba": TestBATwin, "stocbio": TestStochasticTwins, "vrbo": TestStochasticTwins, "mrbo": TestStochasticTwins,
		"accbio": TestAccBiOTwin, "sparkle": TestSPARKLETwin,
		"amigo": TestStochasticTwins, "soba": TestStochasticTwins, "saba": TestStochasticTwins,
		"bome": TestFirstOrderTwins, "bsg-1": TestFirstOrderTwins, "bvfsm": TestFirstOrderTwins,
		"penalty": TestFirstOrderTwins, "f2sa": TestFirstOrderTwins, "optimistic-gd": TestFirstOrderTwins,
	}
}

// withoutTwin states why some methods have no twin.
func withoutTwin() map[string]string {
	return map[string]string{
		"randomized-gossip": "it is asynchronous; TestRandomizedGossipKeepsTheSum checks each exchange",

		"ad-psgd": "it is asynchronous; TestADPSGD compares it with the mean of all gradients",
		"bsa":     "its series has a random length; TestBSAIsUnbiased compares the mean with a formula",
	}
}

// Every method of the catalog is compared with a twin, or a reason is stated.
func TestEveryMethodHasATwin(t *testing.T) {
	twins, without := twins(), withoutTwin()
	for _, e := range catalog.Algorithms() {
		twin, reason := twins[e.Name], without[e.Name]
		delete(twins, e.Name)
		delete(without, e.Name)
		if twin == nil && reason == "" {
			t.Errorf("%s has no stacked twin: add one to twins, or say why not", e.Name)
		}
		if twin != nil && reason != "" {
			t.Errorf("%s has a twin, and a reason why it has none", e.Name)
		}
	}
	for name := range twins {
		t.Errorf("there is a twin of %s, which is not in the catalog", name)
	}
	for name := range without {
		t.Errorf("there is a reason why %s has no twin, and it is not in the catalog", name)
	}
}
