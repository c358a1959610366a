"""The official Python client: a whole session over HTTP, with a token."""

import asyncio
import json
import sys

import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

url, page, token = sys.argv[1:]


async def main():
    told = {}
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with streamable_http_client(url, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as client:
                agreed = await client.initialize()
                told["server"] = agreed.server_info.name
                told["tools"] = len((await client.list_tools()).tools)

                async def call(name, **arguments):
                    result = await client.call_tool(name, arguments)
                    assert not result.is_error, result
                    return result.content[0].text

                session = json.loads(await call("create_session"))["sessionId"]
                told["page"] = await call("navigate", sessionId=session, url=page)
                told["title"] = await call("evaluate", sessionId=session, script="document.title")
                told["closed"] = json.loads(await call("close_session", sessionId=session))["closed"]
    print(json.dumps(told))


asyncio.run(main())
