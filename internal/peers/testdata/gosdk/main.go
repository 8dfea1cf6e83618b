// A server on the Go SDK: gosdk stdio | http PORT | stateless PORT | sse PORT
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type echo struct {
	Text string `json:"text"`
}

type slow struct {
	Seconds float64 `json:"seconds"`
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "peer-go-sdk", Version: "0.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Say it back"},
		func(_ context.Context, _ *mcp.CallToolRequest, in echo) (*mcp.CallToolResult, any, error) {
			return text(in.Text), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "slow", Description: "Wait"},
		func(ctx context.Context, _ *mcp.CallToolRequest, in slow) (*mcp.CallToolResult, any, error) {
			select {
			case <-time.After(time.Duration(in.Seconds * float64(time.Second))):
				return text(fmt.Sprintf("waited %v s", in.Seconds)), nil, nil
			case <-ctx.Done():
				return nil, nil, ctx.Err()
			}
		})

	get := func(*http.Request) *mcp.Server { return server }
	var handler http.Handler
	switch os.Args[1] {
	case "stdio":
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	case "http":
		handler = mcp.NewStreamableHTTPHandler(get, nil)
	case "stateless":
		handler = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	case "sse":
		handler = mcp.NewSSEHandler(get, nil)
	default:
		log.Fatalf("unknown transport %q", os.Args[1])
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[2], handler))
}
