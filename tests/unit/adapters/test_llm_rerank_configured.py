"""`rerank.adapter: llm` asks the chat models of the settings."""

import json

from kisoku.testing.model_server import ModelServer


def test_the_chat_model_of_the_settings_orders(open_app, build, rules, tmp_path):
    def last_first(request):
        count = request.body["messages"][1]["content"].count("<passage ")
        return json.dumps(list(range(count, 0, -1)))

    with ModelServer() as server:
        server.reply = last_first
        app = open_app(
            tmp_path / "handbook",
            rerank={"adapter": "llm", "deadline_ms": 60000},
            chat={"providers": [{"adapter": "ollama", "model": "m1", "base_url": server.url}]},
            conflicts={"enabled": False},
            gates={"enabled": False},
        )
        build(app, rules)
        result = app.service.search(session_id=None, query="表のヘッダー行", agent="qa", top_k=2)
    (rerank,) = [s for s in result.trace if s.stage == "rerank"]
    assert rerank.details["model"] == "llm:m1"
    assert result.chunks[0].fused < result.chunks[1].fused
    assert len(server.requests) == 1
