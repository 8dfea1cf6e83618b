"""A server on the first line of the Python SDK: server.py stdio | http PORT | sse PORT"""

import sys

import anyio
from mcp.server.fastmcp import FastMCP

HOW, PORT = sys.argv[1], int((sys.argv[2:] or ["0"])[0])

server = FastMCP("peer-python-v1", host="127.0.0.1", port=PORT, log_level="WARNING")


@server.tool()
def echo(text: str) -> str:
    """Say it back"""
    return text


@server.tool()
async def slow(seconds: float) -> str:
    """Wait"""
    await anyio.sleep(seconds)
    return f"waited {seconds} s"


server.run({"http": "streamable-http"}.get(HOW, HOW))
