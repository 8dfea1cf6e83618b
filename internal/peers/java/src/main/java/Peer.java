import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;

/** A server on the Java SDK over stdio. */
class Peer {

    public static void main(String[] args) {
        var transport = new StdioServerTransportProvider(McpJsonDefaults.getMapper());
        McpServer.sync(transport)
            .serverInfo("peer-java-sdk", "0.0.0")
            .capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
            .tools(
                tool("echo", "Say it back", "text", "string", said -> (String) said),
                tool("slow", "Wait", "seconds", "number", Peer::sleep))
            .build();
    }

    private interface Handler {
        String handle(Object argument);
    }

    private static SyncToolSpecification tool(String name, String what, String key, String type, Handler handler) {
        Map<String, Object> schema = Map.of(
            "type", "object",
            "properties", Map.of(key, Map.of("type", type)),
            "required", List.of(key));
        return SyncToolSpecification.builder()
            .tool(McpSchema.Tool.builder(name, schema).description(what).build())
            .callHandler((exchange, request) -> McpSchema.CallToolResult.builder()
                .addTextContent(handler.handle(request.arguments().get(key)))
                .build())
            .build();
    }

    static String sleep(Object seconds) {
        try {
            Thread.sleep((long) (((Number) seconds).doubleValue() * 1000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "waited " + seconds + " s";
    }
}
