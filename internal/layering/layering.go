// Package layering holds the test that keeps the packages of the module in their layers.
package layering
