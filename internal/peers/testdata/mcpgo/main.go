// A server on mcp-go: mcpgo stdio | http PORT | sse PORT
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	s := server.NewMCPServer("peer-mcp-go", "0.0.0", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("echo", mcp.WithDescription("Say it back"), mcp.WithString("text", mcp.Required())),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(r.GetString("text", "")), nil
		})
	s.AddTool(mcp.NewTool("slow", mcp.WithDescription("Wait"), mcp.WithNumber("seconds", mcp.Required())),
		func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			seconds := r.GetFloat("seconds", 0)
			select {
			case <-time.After(time.Duration(seconds * float64(time.Second))):
				return mcp.NewToolResultText(fmt.Sprintf("waited %v s", seconds)), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})

	var err error
	switch os.Args[1] {
	case "stdio":
		err = server.ServeStdio(s)
	case "http":
		err = server.NewStreamableHTTPServer(s).Start("127.0.0.1:" + os.Args[2])
	case "sse":
		err = server.NewSSEServer(s).Start("127.0.0.1:" + os.Args[2])
	default:
		err = fmt.Errorf("unknown transport %q", os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}
