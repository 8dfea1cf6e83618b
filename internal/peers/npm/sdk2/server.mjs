// A server on the second line of the TypeScript SDK: node server.mjs stdio | http PORT
// With the word "modern" behind it, it refuses clients that open with initialize.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const text = (s) => ({ content: [{ type: 'text', text: s }] });

function make() {
  const server = new McpServer({ name: 'peer-typescript-v2', version: '0.0.0' });
  server.registerTool('echo', { description: 'Say it back', inputSchema: z.object({ text: z.string() }) },
    async ({ text: said }) => text(said));
  server.registerTool('slow', { description: 'Wait', inputSchema: z.object({ seconds: z.number() }) },
    async ({ seconds }) => {
      await sleep(seconds * 1000);
      return text(`waited ${seconds} s`);
    });
  return server;
}

const how = process.argv[2];
const modern = process.argv.includes('modern');
if (how === 'stdio') {
  serveStdio(make, { legacy: modern ? 'reject' : 'serve' });
} else {
  const handle = toNodeHandler(createMcpHandler(make, { legacy: modern ? 'reject' : 'stateless' }));
  const hostOK = localhostHostValidation();
  const originOK = localhostOriginValidation();
  createServer((req, res) => {
    if (hostOK(req, res) && originOK(req, res)) handle(req, res);
  }).listen(Number(process.argv[3]), '127.0.0.1');
}
