"""Whether two rules are about one thing: topics without a predicate word, kinds, cases."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.constraints.facets import apart, find_facets
from kisoku.domain.constraints.targets import are_contrasted, topic_text

LEXICON = load_lexicon()


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("制度自发布之日起生效", "制度"),
        ("目录显示到三级标题", "目录"),
        ("周末不发布", "周末不发布"),
        ("自动任务应记录日志", "自动任务"),
        ("图片须标注来源", "图片"),
    ],
)
def test_topic_of_a_chinese_clause(text: str, topic: str) -> None:
    assert topic_text(text, "zh") == topic


@pytest.mark.parametrize(
    ("one", "two", "contrasted"),
    [
        ("完了の通知", "エラー通知", True),
        ("完了の通知", "完了通知", False),
        ("作業用テーブル", "取引テーブルの行", True),
        ("各テーブル", "取引テーブル", False),
        ("1桁の月日", "年月日", False),
        ("項目内の改行", "値の中の改行", False),
    ],
)
def test_kinds_behind_a_particle(one: str, two: str, contrasted: bool) -> None:
    assert are_contrasted(one, two, one, two, "ja") is contrasted
    assert are_contrasted(two, one, two, one, "ja") is contrasted


def test_what_words_mean_tells_whether_they_are_kinds() -> None:
    def alike(one: str, two: str) -> bool:
        return {one, two} == {"設計書", "仕様書"}

    assert are_contrasted("設計書の表紙", "見積書の表紙", "設計書の表紙", "見積書の表紙", "ja", alike=alike)
    assert not are_contrasted("設計書の表紙", "仕様書の表紙", "設計書の表紙", "仕様書の表紙", "ja", alike, alike)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("社内の非公開リポジトリ", "公開リポジトリ", True),
        ("一套环境", "测试环境", False),
        ("専用環境", "本番環境", False),
        ("受発注システム", "給与システム", True),
        ("情報システム", "給与システム", False),
        ("系统测试", "核心系统", False),
        ("前后端", "采集端", False),
    ],
)
def test_cases(one: str, two: str, expected: bool) -> None:
    language = "zh" if any(mark in one + two for mark in "环统端") and "システム" not in one + two else "ja"
    facets = [find_facets(text, language, LEXICON) for text in (one, two)]
    assert apart(facets[0], facets[1], frozenset()) is expected
