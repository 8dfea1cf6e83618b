"""A server on FastMCP, the framework beside the Python SDK: server.py stdio | http PORT | sse PORT"""

import os
import sys

# It would ask the network for a newer version of itself.
os.environ["FASTMCP_CHECK_FOR_UPDATES"] = "off"

import anyio
from fastmcp import FastMCP

server = FastMCP("peer-fastmcp")


@server.tool
def echo(text: str) -> str:
    """Say it back"""
    return text


@server.tool
async def slow(seconds: float) -> str:
    """Wait"""
    await anyio.sleep(seconds)
    return f"waited {seconds} s"


if sys.argv[1] == "stdio":
    server.run("stdio", show_banner=False, log_level="WARNING")
else:
    server.run(sys.argv[1], show_banner=False, log_level="WARNING", host="127.0.0.1", port=int(sys.argv[2]))
