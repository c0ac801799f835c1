"""Every way of understanding queries keeps the contract."""

import pytest
from kisoku.adapters.query.llm import ModelQuery
from kisoku.adapters.query.off import PlainQuery
from kisoku.adapters.query.rules import RuleQuery
from kisoku.config.dictionary import load_dictionary
from kisoku.ports.chat_model import ChatReply
from kisoku.ports.query_transformer import QueryTransformerOptions
from kisoku.testing.query_transformer import QueryTransformerContract


class Scripted:
    """A chat model that always gives the same answer."""

    name = "scripted"

    def complete(self, messages, *, max_tokens=1024):
        answer = '{"rewritten": "主キーの命名", "keywords": ["命名規約", "プライマリ", "物理名", "列", "接頭辞"]}'
        return ChatReply(answer, self.name)


class TestOff(QueryTransformerContract):
    @pytest.fixture
    def transformer(self):
        return PlainQuery()


class TestRules(QueryTransformerContract):
    @pytest.fixture
    def transformer(self):
        return RuleQuery(QueryTransformerOptions(load_dictionary(), max_added=self.MAX_ADDED))


class TestRulesWithoutDictionary(QueryTransformerContract):
    @pytest.fixture
    def transformer(self):
        return RuleQuery()


class TestModel(QueryTransformerContract):
    @pytest.fixture
    def transformer(self):
        return ModelQuery(QueryTransformerOptions(load_dictionary(), chat_model=Scripted(), max_added=self.MAX_ADDED))
