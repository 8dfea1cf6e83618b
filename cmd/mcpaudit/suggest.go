package main

import (
	"fmt"
	"strings"
)

// didYouMean returns a hint with the candidate that is nearest to what was typed, or "" if none is near: at most
// a third of the longer word may differ, so that a hint is never a guess in the dark. Of equals the first wins.
func didYouMean(typed string, candidates []string) string {
	best, bestDistance := "", -1
	for _, c := range candidates {
		d := distance(strings.ToLower(typed), strings.ToLower(c))
		if d*3 <= max(len(typed), len(c)) && (bestDistance < 0 || d < bestDistance) {
			best, bestDistance = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// oneOf is the hint where the whole choice fits on a line.
func oneOf(typed string, candidates []string) string {
	if hint := didYouMean(typed, candidates); hint != "" {
		return hint
	}
	return "want one of " + strings.Join(candidates, ", ")
}

// distance is the number of runes to insert, delete, replace or swap with their neighbour; a swapped pair is the
// most common slip of the keyboard and would count twice without the last rule.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last := make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row := make([]int, len(t)+1)
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(t)]
}
