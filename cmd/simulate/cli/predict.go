package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"tallynet/cmd/simulate/present"
	"tallynet/metrics/report/table"
	"tallynet/scenarios/predict"
)

func (a *app) predictCommand() *cobra.Command {
	var set []string
	var format string
	c := &cobra.Command{
		Use: "predict FILE [flags]", Short: "Show the cost of a scenario in closed form, without running it",
		Long: `The cost of each method of a scenario in closed form, without running it: of one outer
iteration, and of all of them. Stop rules on a metric, on time or on payload may end a
run earlier. What only a run can tell, such as simulated time and accuracy, is left out.`,
		Args: need(1, 1, "a scenario file"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.predict(args[0], set, format)
		},
	}
	c.Flags().StringArrayVar(&set, "set", nil, "change a value of the file, for example problem.p=100")
	formatFlag(c.Flags(), &format, "the tables", tableFormats())
	limitFlags(c.Flags(), &a.limits)
	return c
}

func (a *app) predict(file string, set []string, format string) error {
	s, err := a.load(file, set)
	if err != nil {
		return err
	}
	forecasts, about, err := predict.Forecasts(s, &a.loader)
	if err != nil {
		return err
	}
	if format == "text" {
		if _, err := fmt.Fprintf(a.io.Out, "%s\n\n", table.Wrapped(about, "")); err != nil {
			return err
		}
	}
	return table.Document{Tables: present.Forecasts(s, forecasts)}.Write(a.io.Out, format)
}
