package main

import "testing"

func TestDidYouMean(t *testing.T) {
	flags := []string{"--format", "--fail-on", "--no-fail", "--only"}
	for _, tt := range []struct {
		typed, want string
	}{
		{"--fromat", `did you mean "--format"?`}, // two letters swapped
		{"--formats", `did you mean "--format"?`},
		{"--FORMAT", `did you mean "--format"?`},
		{"--failon", `did you mean "--fail-on"?`},
		{"--nofail", `did you mean "--no-fail"?`},
		{"--timeout", ""},
		{"", ""},
	} {
		if got := didYouMean(tt.typed, flags); got != tt.want {
			t.Errorf("didYouMean(%q) = %q, want %q", tt.typed, got, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"kitten", "sitting", 3},
		{"ab", "ba", 1},
		{"abcd", "acbd", 1},
		{"é", "e", 1},
	} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := distance(tt.b, tt.a); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
