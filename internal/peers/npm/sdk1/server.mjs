// A server on the first line of the TypeScript SDK: node server.mjs stdio | http PORT | sse PORT
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';

const text = (s) => ({ content: [{ type: 'text', text: s }] });

// A connection needs a server of its own.
function make() {
  const server = new McpServer({ name: 'peer-typescript-v1', version: '0.0.0' });
  server.registerTool('echo', { description: 'Say it back', inputSchema: { text: z.string() } },
    async ({ text: said }) => text(said));
  server.registerTool('slow', { description: 'Wait', inputSchema: { seconds: z.number() } },
    async ({ seconds }) => {
      await sleep(seconds * 1000);
      return text(`waited ${seconds} s`);
    });
  return server;
}

const refuse = (res, status, message) => {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32001, message }, id: null }));
};

const sessions = new Map();

async function http(req, res) {
  const id = req.headers['mcp-session-id'];
  let transport = sessions.get(id);
  if (id && !transport) return refuse(res, 404, 'session not found');
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
      onsessionclosed: (id) => sessions.delete(id),
    });
    await make().connect(transport);
  }
  await transport.handleRequest(req, res);
}

async function sse(req, res) {
  const url = new URL(req.url, 'http://localhost');
  if (req.method === 'GET' && url.pathname === '/sse') {
    const transport = new SSEServerTransport('/messages', res);
    sessions.set(transport.sessionId, transport);
    res.on('close', () => sessions.delete(transport.sessionId));
    return make().connect(transport);
  }
  const transport = sessions.get(url.searchParams.get('sessionId'));
  if (req.method !== 'POST' || !transport) return refuse(res, 404, 'session not found');
  await transport.handlePostMessage(req, res);
}

const [how, port] = process.argv.slice(2);
if (how === 'stdio') {
  await make().connect(new StdioServerTransport());
} else {
  createServer(how === 'sse' ? sse : http).listen(Number(port), '127.0.0.1');
}
