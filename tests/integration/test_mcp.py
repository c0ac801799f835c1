"""The MCP server, asked by the SDK's own client: in this process, over stdio, over HTTP."""

import asyncio
import json
import os
import re
import subprocess
import sys

import httpx2
import pytest
from kisoku.adapters.mcp.http import is_loopback
from kisoku.adapters.mcp.server import make_server
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

READING = {"search_rules", "lookup_knowledge", "list_versions", "pending_conflicts", "health"}
COMMAND = (sys.executable, "-P", "-m", "kisoku", "mcp")
TOKEN = "made-up-for-this-test"  # noqa: S105  # as it says
ANYWHERE = "0.0.0.0"  # noqa: S104  # refused, which is the point
ASKED = {"query": "表のヘッダー行の書き方", "agent": "writer", "session_id": "s", "chapter": "画面一覧"}


def ask(server, conversation):
    """Run a conversation with a server."""

    async def talk():
        async with Client(server) as client:
            return await conversation(client)

    return asyncio.run(talk())


def test_agents_search_and_see_conflicts(built, open_app):
    async def talk(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        first = await client.call_tool("search_rules", ASKED)
        again = await client.call_tool("search_rules", ASKED)
        pending = await client.call_tool("pending_conflicts", {"session_id": "s"})
        versions = await client.call_tool("list_versions", {})
        health = await client.call_tool("health", {})
        return tools, first, again, pending, versions, health

    tools, first, again, pending, versions, health = ask(make_server(open_app(built)), talk)
    assert set(tools) == READING
    assert all(tool.annotations.read_only_hint for tool in tools.values())
    answer = first.structured_content
    assert not first.is_error
    assert answer["version"] == "v1"
    assert answer["cached"] is False
    assert answer["rules"][0]["document"] in {"記入規則.docx", "図表規則.xlsx"}
    assert "ヘッダー行" in answer["rules"][0]["text"]
    assert all(rule["source_uri"].startswith(rule["document"]) for rule in answer["rules"])
    assert again.structured_content == answer | {"cached": True}
    (conflict,) = pending.structured_content["conflicts"]
    assert conflict["conflict_id"] == answer["conflicts"][0]["conflict_id"]
    assert [m["number"] for m in conflict["members"]] == [1, 2]
    assert conflict["chapter"] == "画面一覧"
    (version,) = versions.structured_content["versions"]
    assert (version["version"], version["active"], version["documents"]) == ("v1", True, 5)
    assert health.structured_content == {"status": "ok", "version": "v1", "problems": []}


def test_evidence_is_given_once_a_session(built, open_app):
    async def talk(client):
        asked = {"query": "パスワードの文字数", "session_id": "s"}
        return [(await client.call_tool("lookup_knowledge", asked)).structured_content for _ in range(2)]

    first, second = ask(make_server(open_app(built)), talk)
    assert (first["found"], second["found"]) == (True, False)
    assert "12文字以上" in first["context_pack"]["text"]
    assert second["evidence_status"] == "already_given"


def test_decisions_need_to_be_allowed(built, open_app):
    app = open_app(built)

    async def read_only(client):
        result = await client.call_tool("search_rules", ASKED)
        refused = await client.call_tool("resolve_conflict", {"conflict_id": "c", "decision": "1"})
        assert refused.is_error
        assert "Unknown tool" in refused.content[0].text
        return result.structured_content["conflicts"][0]["conflict_id"]

    identity = ask(make_server(app), read_only)

    async def deciding(client):
        await client.call_tool("search_rules", ASKED)
        wrong = await client.call_tool("resolve_conflict", {"conflict_id": identity, "decision": "9"})
        right = await client.call_tool("resolve_conflict", {"conflict_id": identity, "decision": "図表規則.xlsx"})
        after = await client.call_tool("search_rules", ASKED)
        return wrong, right, after

    wrong, right, after = ask(make_server(app, allow_decisions=True), deciding)
    assert wrong.is_error
    assert "is no decision" in wrong.content[0].text
    assert right.structured_content["decision"].startswith("adopt:")
    # The answer given before the decision is not given again.
    assert after.structured_content["cached"] is False
    assert [c["status"] for c in after.structured_content["conflicts"]] == ["decided"]


def test_resources(built, open_app):
    async def talk(client):
        templates = {t.uri_template for t in (await client.list_resource_templates()).resource_templates}
        found = (await client.call_tool("search_rules", ASKED)).structured_content["rules"][0]
        chunk = (await client.read_resource(f"kisoku://chunks/{found['chunk_id']}")).contents[0].text
        manifest = (await client.read_resource("kisoku://manifests/v1")).contents[0].text
        versions = (await client.read_resource("kisoku://versions")).contents[0].text
        for uri in ("kisoku://chunks/rules-write_v1_999", "kisoku://manifests/v9", "kisoku://chunks/..%2f..%2fetc"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)
        return templates, found, json.loads(chunk), json.loads(manifest), json.loads(versions)

    templates, found, chunk, manifest, versions = ask(make_server(open_app(built)), talk)
    assert templates == {"kisoku://chunks/{chunk_id}", "kisoku://manifests/{version}"}
    assert chunk["content"] == found["text"]
    assert (manifest["version"], manifest["active"]) == ("v1", True)
    assert [v["version"] for v in versions["versions"]] == ["v1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": ""}, "query"),
        ({"query": "   "}, "The query is empty"),
        ({"query": "表", "agent": "wirter"}, "agent"),
        ({"query": "表", "category": "rules"}, "category"),
        ({"query": "表", "top_k": 0}, "top_k"),
        ({}, "query"),
    ],
)
def test_a_wrong_call_is_told(arguments, message, built, open_app):
    async def talk(client):
        return await client.call_tool("search_rules", arguments)

    result = ask(make_server(open_app(built)), talk)
    assert result.is_error
    assert message in result.content[0].text


def test_without_the_model_keywords_answer_and_health_says_so(built, open_app, broken_embedder):
    broken_embedder["query"] = RuntimeError("weights are gone")

    async def talk(client):
        return (
            (await client.call_tool("health", {})).structured_content,
            [(await client.call_tool("search_rules", ASKED)).structured_content for _ in range(2)],
        )

    health, (first, second) = ask(make_server(open_app(built)), talk)
    assert health["status"] == "degraded"
    assert any("weights are gone" in problem for problem in health["problems"])
    assert first["rules"]
    assert "embedding_unavailable" in {n["code"] for n in first["notices"]}
    assert second["cached"] is False  # what is answered in part is asked anew, the model may be back


def test_without_a_handbook(tmp_path, open_app):
    async def talk(client):
        return (await client.call_tool("health", {})).structured_content

    health = ask(make_server(open_app(tmp_path / "none")), talk)
    assert (health["status"], health["version"]) == ("degraded", "v0")


def test_stdio(built):
    """The command as a client starts it: only the protocol on standard output."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "kisoku", "mcp", "--root", str(built), "--lang", "ja"],
        env={k: v for k, v in os.environ.items() if not k.startswith("KISOKU_")} | {"KISOKU_EMBEDDING__ADAPTER": "use"},
    )

    async def talk(client):
        names = {tool.name for tool in (await client.list_tools()).tools}
        return names, (await client.call_tool("list_versions", {})).structured_content

    names, versions = ask(server, talk)
    assert names == READING
    assert [v["version"] for v in versions["versions"]] == ["v1"]


@pytest.fixture
def served(built):
    """The command, listening on a free port; yields its address, ends with the test."""
    running = []

    def start(*arguments, token=""):
        environment = dict(os.environ) | {"KISOKU_MCP_TOKEN": token, "KISOKU_LANGUAGE": "en"}
        process = subprocess.Popen(
            [*COMMAND, "--transport", "http", "--port", "0", *arguments, "--root", str(built)],
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        )
        running.append(process)
        line = process.stderr.readline()
        found = re.search(r"http://\S+/mcp", line)
        assert found, line + process.stderr.read()
        return found.group()

    yield start
    for process in running:
        process.terminate()
        process.wait(timeout=20)
        process.stderr.close()


def over_http(url, token, conversation):
    async def talk():
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return await conversation(client)

    return asyncio.run(talk())


def test_streamable_http_with_a_token(served):
    url = served("--allow-decisions", token=TOKEN)
    health = url.removesuffix("/mcp") + "/health"

    async def names(client):
        return {tool.name for tool in (await client.list_tools()).tools}

    assert over_http(url, TOKEN, names) == READING | {"resolve_conflict"}
    assert httpx2.get(health, headers={"Authorization": f"Bearer {TOKEN}"}).json()["version"] == "v1"
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}):
        refused = httpx2.get(health, headers=headers)
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        assert httpx2.post(url, headers=headers, json={}).status_code == 401


def test_http_on_loopback_needs_no_token(served):
    url = served()

    async def versions(client):
        return (await client.call_tool("list_versions", {})).structured_content

    assert [v["version"] for v in over_http(url, "", versions)["versions"]] == ["v1"]
    # A page of another site that had its name point here is refused.
    assert httpx2.post(url, headers={"Host": "evil.example"}, json={}).status_code in {403, 421}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--host", ANYWHERE), "needs a token"),
        (("--host", "192.0.2.1"), "needs a token"),
    ],
)
def test_nothing_listens_beyond_this_machine_without_a_token(arguments, message, kisoku, built, monkeypatch):
    monkeypatch.delenv("KISOKU_MCP_TOKEN", raising=False)
    code, out, err = kisoku("mcp", "--transport", "http", *arguments, "--root", built)
    assert (code, out) == (1, "")
    assert message in err
    assert "KISOKU_MCP_TOKEN" in err


def test_a_port_that_is_taken(served, kisoku, built):
    port = re.search(r":(\d+)/", served()).group(1)
    code, _, err = kisoku("mcp", "--transport", "http", "--port", port, "--root", built)
    assert code == 1
    assert f"127.0.0.1:{port} cannot be listened on" in err


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        (ANYWHERE, False),
        ("rules.example", False),
    ],
)
def test_loopback(host, expected):
    assert is_loopback(host) is expected
