"""Reading dictionaries: the bundled one, files of one's own, and what is wrong with them."""

import pytest
from kisoku.config.dictionary import load_dictionary
from kisoku.domain.errors import ConfigError
from kisoku.domain.terms import folded


def write(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_bundled_dictionary_has_three_languages_and_no_term_twice_in_a_group():
    dictionary = load_dictionary()
    assert any({"主キー", "primary key", "主键"} <= set(group) for group in dictionary.synonyms)
    for group in dictionary.synonyms:
        assert len({folded(term) for term in group}) == len(group), group


def test_no_term_of_the_bundled_dictionary_is_in_two_groups():
    seen = {}
    for group in load_dictionary().synonyms:
        for term in group:
            assert folded(term) not in seen, (term, group, seen.get(folded(term)))
            seen[folded(term)] = group


def test_a_file_adds_and_its_domain_replaces_the_one_of_that_name(tmp_path):
    path = write(
        tmp_path, "synonyms:\n- [顧客, 得意先]\ndomains:\n  画面: {terms: [VIEW], weight: 2, category: design}\n"
    )
    dictionary = load_dictionary([path])
    assert ("顧客", "得意先") in dictionary.synonyms
    assert len(dictionary.synonyms) > 50
    assert dictionary.domains["画面"].category == "design"
    assert dictionary.domains["画面"].terms == ("VIEW",)
    alone = load_dictionary([path], bundled=False)
    assert alone.synonyms == (("顧客", "得意先"),)


def test_an_empty_file_adds_nothing(tmp_path):
    assert load_dictionary([write(tmp_path, "# nothing\n")], bundled=False).synonyms == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("synonyms: [[顧客]]", "wrong at synonyms.0"),
        ("synonyms: [[顧客, 1]]", "needs quotes"),
        ("stop_words: [[on]]", "needs quotes"),
        ("synonym: []", "Sections: synonyms, widen"),
        ("widen: [{from: [a]}]", "wrong at widen.0.to"),
        ("domains: {DB: {terms: []}}", "wrong at domains.DB.terms"),
        ("domains: {DB: {terms: [x], category: wirte}}", "domains.DB.category"),
        ("domains: {DB: {terms: [x], weight: 0}}", "domains.DB.weight"),
        ("- a", "must hold sections by name, not a list"),
        ("synonyms: [", "no valid YAML at line"),
        ("synonyms: ['  ', a]", "synonyms.0"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_place(tmp_path, text, told):
    with pytest.raises(ConfigError) as caught:
        load_dictionary([write(tmp_path, text)])
    assert told in str(caught.value)
    assert "mine.yaml" in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.yaml cannot be read"):
        load_dictionary([tmp_path / "nowhere.yaml"])
