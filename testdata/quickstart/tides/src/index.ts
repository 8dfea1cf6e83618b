import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

// High water at the reference port, and by how many minutes the others follow it.
const reference = Date.UTC(2026, 0, 1, 3, 12);
const period = 12.4206 * 3600 * 1000;
const delay: Record<string, number> = { Harbour: 0, Estuary: 47, Lighthouse: -18 };

const server = new McpServer({ name: "tides", version: "0.3.0" });

server.registerTool(
  "next_high_water",
  {
    description: "When the water is next high at a port",
    inputSchema: { port: z.enum(["Harbour", "Estuary", "Lighthouse"]) },
    annotations: { readOnlyHint: true },
  },
  async ({ port }) => {
    const shifted = reference + delay[port] * 60_000;
    const cycles = Math.ceil((Date.now() - shifted) / period);
    return { content: [{ type: "text", text: new Date(shifted + cycles * period).toISOString() }] };
  },
);

await server.connect(new StdioServerTransport());
