// Package golang lowers Go source to analyzers/code with the help of the type checker. It runs nothing and asks
// no network, not even the go command: an audited tree is not trusted and its dependencies are mostly absent.
//
// Load maps import paths to folders by the go.mod and go.work files of the tree, parses the packages that hold
// the wanted files together with what they import from the same tree, and type-checks them. Whatever lies outside
// the tree, the standard library included, is a package without content: its names keep their import path, and
// what is derived from them has no type. Constants, functions, methods and structs of the tree are resolved.
//
// The lowering itself is Analyzer, an ordinary go/analysis analyzer, so that any driver can run it. Functions and
// types travel between packages as facts.
package golang
