import { createInterface } from "node:readline";

const hello = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "clock", version: "1.0.0" } };
const now = { name: "now", description: "The time in UTC", inputSchema: { type: "object" } };
const reply = (id: unknown, body: object) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\n");

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return; // a notification wants no answer
  switch (method) {
    case "initialize": return reply(id, { result: hello });
    case "tools/list": return reply(id, { result: { tools: [now] } });
    case "tools/call": return reply(id, { result: { content: [{ type: "text", text: new Date().toISOString() }] } });
    default: return reply(id, { error: { code: -32601, message: `unknown method ${method}` } });
  }
});
