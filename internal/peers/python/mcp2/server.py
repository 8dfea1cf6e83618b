"""A server on the second line of the Python SDK: server.py stdio | http PORT | sse PORT"""

import sys

import anyio
from mcp.server.mcpserver import MCPServer

server = MCPServer("peer-python-v2", log_level="WARNING")


@server.tool()
def echo(text: str) -> str:
    """Say it back"""
    return text


@server.tool()
async def slow(seconds: float) -> str:
    """Wait"""
    await anyio.sleep(seconds)
    return f"waited {seconds} s"


if sys.argv[1] == "stdio":
    server.run("stdio")
else:
    how = {"http": "streamable-http", "sse": "sse"}[sys.argv[1]]
    server.run(how, host="127.0.0.1", port=int(sys.argv[2]))
