// Command mcpaudit audits the source of MCP (Model Context Protocol) servers and clients against the protocol.
package main

import "os"

func main() {
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
