// Package hygiene holds the test of what no file of the repository may hold.
package hygiene
