// Command needles prints the literals that the search of mcpaudit looks for, one a line, so that another program can
// be measured with the very same ones.
package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mcpaudit/mcpaudit/analyzers"
)

func main() {
	// A pair counts only where both halves are found, which a list of literals cannot say. Both halves are looked for
	// all the same, so both are in the list.
	needles := analyzers.Needles()
	words := map[string]bool{}
	for _, s := range needles.Any {
		words[s] = true
	}
	for _, p := range needles.Pairs {
		words[p[0]], words[p[1]] = true, true
	}
	for _, s := range slices.Sorted(maps.Keys(words)) {
		fmt.Println(s)
	}
}
