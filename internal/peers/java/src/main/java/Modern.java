import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.modern.McpSchema;
import io.modelcontextprotocol.modern.server.McpRequestContext;
import io.modelcontextprotocol.modern.server.McpServer;
import io.modelcontextprotocol.modern.server.McpSyncResponse;
import io.modelcontextprotocol.modern.server.feature.McpSyncTool;
import io.modelcontextprotocol.modern.server.feature.McpSyncToolRepository;
import io.modelcontextprotocol.modern.server.feature.ToolsFeature;
import io.modelcontextprotocol.modern.server.feature.ToolsPage;
import io.modelcontextprotocol.modern.server.transport.StdioMcpTransport;

/** A server on the Java SDK over stdio that knows no handshake. */
class Modern implements McpSyncToolRepository {

    private final Map<String, McpSyncTool> tools = Map.of(
        "echo", tool("echo", "Say it back", "text", "string", said -> (String) said),
        "slow", tool("slow", "Wait", "seconds", "number", Peer::sleep));

    public static void main(String[] args) throws InterruptedException {
        var server = McpServer.builder()
            .serverInfo(McpSchema.Implementation.builder("peer-java-sdk-modern", "0.0.0").build())
            .feature(ToolsFeature.ofSync(new Modern()))
            .build();
        new StdioMcpTransport(server, McpJsonDefaults.getMapper()).start().block();
    }

    @Override
    public ToolsPage list(McpRequestContext context, String cursor) {
        return ToolsPage.of(List.of(tools.get("echo").definition(), tools.get("slow").definition()));
    }

    @Override
    public McpSyncTool find(McpRequestContext context, String name) {
        return tools.get(name);
    }

    private static McpSyncTool tool(String name, String what, String key, String type, Function<Object, String> handler) {
        Map<String, Object> schema = Map.of(
            "type", "object",
            "properties", Map.of(key, Map.of("type", type)),
            "required", List.of(key));
        return McpSyncTool.of(
            McpSchema.Tool.builder(name, schema).description(what).build(),
            (context, request) -> McpSyncResponse.result(McpSchema.CallToolResult.builder()
                .addContent(McpSchema.TextContent.builder(handler.apply(request.arguments().get(key))).build())
                .build()));
    }
}
