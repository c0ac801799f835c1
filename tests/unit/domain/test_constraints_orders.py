"""Orders in many wordings."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.constraints.ordering import orders_in
from kisoku.domain.constraints.text import language_of, normalise


@pytest.mark.parametrize(
    "text",
    [
        "バックアップはバッチの前に行う。",
        "バックアップが完了してからバッチを起動する。",
        "バックアップ後にバッチを起動する。",
        "バックアップが終わり次第、バッチを起動する。",
        "バッチに先立ってバックアップを取得する。",
        "バックアップを先に行い、その後でバッチを起動する。",
        "バッチの完了を待たずにバックアップを取得する。",
        "批处理前必须完成备份",
        "备份完成前不得启动批处理",
    ],
)
def test_the_backup_comes_first(text: str) -> None:
    found = list(orders_in(normalise(text), language_of(text), load_lexicon()))
    assert found
    assert all("backup" in claim.earlier and "batch" in claim.later for claim in found)
