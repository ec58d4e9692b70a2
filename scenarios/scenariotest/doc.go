// Package scenariotest helps the tests of packages that take a scenario.
package scenariotest
