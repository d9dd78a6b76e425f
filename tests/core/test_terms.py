"""The tokenizer: what meets, what stays apart, where terms stand, what never happens."""

from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
import regex
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from notekin.core.folding import fold
from notekin.core.stopwords import STOP_WORDS
from notekin.core.terms import (
    TOKEN_CHARACTERS,
    Finder,
    index_terms,
    located,
    query_terms,
    weighted_terms,
)
from notekin.core.words import plain_found, read

CASES: Any = yaml.safe_load((Path(__file__).parents[1] / "cases/terms.yaml").read_text("utf-8"))

# Joints, scripts and marks more often than chance would bring them.
TEXTS = st.text() | st.lists(
    st.sampled_from(
        [
            *"aAbB19 .,-_'@:/+#()[]=\n\"\0\u2019\u00ad\u200d\ufe0f\ud800",
            *("é", "e\u0301", "ß", "İ", "й", "ё", "ﷺ", "⑴", "½", "²", "Ⅷ", "\U000116d0"),
            *("中", "文", "か", "が", "\u3099", "\uff9e", "ﾊ", "ー", "각", "\u1100", "ก", "า", "่"),
            *("👍🏽", "🇩", "🇪", "the", "don't"),
        ]
    ),
    max_size=40,
).map("".join)


@pytest.mark.parametrize("case", CASES["terms"], ids=lambda case: case["text"])
def test_terms_of_a_text(case: dict[str, Any]) -> None:
    found = index_terms(case["text"])
    if case.get("all"):
        assert found == case["terms"]
    else:
        assert set(case["terms"]) <= set(found)


@pytest.mark.parametrize("spellings", CASES["meet"], ids=lambda spellings: spellings[0])
def test_spellings_that_meet(spellings: list[str]) -> None:
    assert len({tuple(index_terms(each)) for each in spellings}) == 1


@pytest.mark.parametrize("words", CASES["apart"], ids=" ".join)
def test_words_that_stay_apart(words: list[str]) -> None:
    assert not set(query_terms(words[0])) & set(query_terms(words[1]))


@pytest.mark.parametrize("case", CASES["queries"], ids=lambda case: case["query"])
def test_terms_of_a_query(case: dict[str, Any]) -> None:
    assert list(query_terms(case["query"])) == case["terms"]


def test_a_part_of_a_chinese_run_is_found() -> None:
    assert set(query_terms("中文合約")) <= set(index_terms("中文合約轉換體驗課問題"))


def test_a_repeated_word_weighs_more_up_to_three_times() -> None:
    assert weighted_terms("plan plan note " + "word " * 9) == (
        *("plan", "plan", "note"),
        *("word", "word", "word"),
    )


@given(TEXTS)
def test_places_of_terms_are_those_located(text: str) -> None:
    every = list(located(text))
    wanted = frozenset(each.term for each in every[::3])
    assert list(Finder(wanted).places(text)) == [each for each in every if each.term in wanted]


@given(TEXTS)
@example("一一一")  # a character and its pairs do not begin in order
def test_spans_are_the_places_of_terms_joined(text: str) -> None:
    finder = Finder(frozenset(each.term for each in list(located(text))[::3]))
    spans = finder.spans(text)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    places = {place for each in finder.places(text) for place in range(each.start, each.end)}
    assert {place for each in spans for place in range(each.start, each.end)} == places


# All that stemming changes within the first letters of a word is among these.
_ENDINGS = ("", "s", "y", "ed", "ing", "ies", "ied", "ying", "ily", "ization", "ability")
_SHORT = ["".join(letters) for n in (1, 2, 3) for letters in product("abdeklsty", repeat=n)]


@pytest.mark.parametrize("ending", _ENDINGS)
def test_a_term_is_found_in_words_that_were_never_read(ending: str) -> None:
    for word in (*_SHORT, "capab", "organ", "hop", "Sk", "U.S.A-", "don't", "multi-agent", "e_"):
        wanted = frozenset(index_terms(word + ending))
        unread = f"<{word}{ending}/>"
        places = list(Finder(wanted).places(unread))
        assert places == [each for each in located(unread) if each.term in wanted]
        assert {each.term for each in places} == wanted


@given(TEXTS)
@example("(word).")
@example("it's")
def test_a_plain_word_is_found_where_it_is_read(text: str) -> None:
    for piece in text.split():
        found = plain_found(piece)
        assert found is None or [found] == list(read(piece))


@given(TEXTS)
def test_located_terms_are_the_index_terms(text: str) -> None:
    found = list(located(text))
    assert [each.term for each in found] == index_terms(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)


@given(st.lists(st.text(alphabet="abABn019-_.'", max_size=12)).map(" ".join))
def test_plain_words_and_compounds_are_read_as_all_others(text: str) -> None:
    assert [each.term for each in located(text)] == index_terms(text)


@given(TEXTS)
def test_a_term_passes_the_text_index_unchanged(text: str) -> None:
    for term in index_terms(text):
        assert 0 < len(term) <= 64
        assert not any(character.isspace() for character in term)
        ascii_part = {character for character in term if character.isascii()}
        assert all(
            character.islower() or character.isdigit() or character in TOKEN_CHARACTERS
            for character in ascii_part
        )


@given(TEXTS)
def test_what_is_asked_is_indexed(text: str) -> None:
    assert set(query_terms(text)) <= set(weighted_terms(text)) <= set(index_terms(text))


@given(TEXTS, TEXTS)
def test_a_line_end_parts_terms(one: str, other: str) -> None:
    assert index_terms(f"{one}\n{other}") == index_terms(one) + index_terms(other)


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    for word in regex.findall(r"[\p{L}\p{M}\p{N}]+", text):
        assert fold(fold(word)) == fold(word)


def test_stop_words_are_spelled_as_folded() -> None:
    assert {fold(word) for word in STOP_WORDS} == STOP_WORDS


def test_base64_gives_one_term() -> None:
    blob = "iVBORw0KGgo4AAAANSUhEUgAAAZAA+ACWCAYAAADwkd5lAABJpUlEQVR42u3d" * 2_000
    assert len(index_terms(f"![](data:image/png;base64,{blob}==)")) < 10


@pytest.mark.parametrize("unit", ["a-", "[", "a", "中", "aB", "a'", "1,", ".", "+", "é", "a/"])
def test_a_long_line_gives_bounded_terms(unit: str) -> None:
    line = unit * 20_000
    assert sum(map(len, index_terms(line))) <= 4 * len(line)


def test_terms_stand_in_reading_order() -> None:
    starts = [each.start for each in located("one two-three four.five") if "." not in each.term]
    assert all(one <= other for one, other in pairwise(starts))
