"""Reading a query, weighing its terms, choosing the telling ones."""

import pytest

from notekin.core.query import coverage, narrowed, read_query, subject_of, term_weights


def test_nothing_asked() -> None:
    question = read_query("  \n")
    assert (question.text, question.terms, question.weighted) == ("", (), ())


def test_ten_thousand_words_are_cut() -> None:
    question = read_query(" ".join(f"word{n}" for n in range(10_000)))
    assert 0 < len(question.terms) <= 256
    assert len(set(question.weighted)) <= 256


def test_a_rare_term_weighs_more_than_a_common_one_and_an_unknown_one_most() -> None:
    weights = term_weights(("common", "rare", "unknown"), {"common": 90, "rare": 2}, 100)
    assert 0 < weights["common"] < weights["rare"] < weights["unknown"]


def test_weights_survive_counts_that_disagree() -> None:
    assert term_weights(("a",), {"a": 7}, 5)["a"] > 0


def test_coverage_is_the_share_of_the_weight() -> None:
    weights = {"common": 1.0, "rare": 3.0}
    assert coverage(frozenset(), weights) == 0
    assert coverage(frozenset({"rare", "other"}), weights) == pytest.approx(0.75)
    assert coverage(frozenset({"rare", "common"}), weights) == pytest.approx(1)
    assert coverage(frozenset({"rare"}), {}) == 0


def test_a_short_question_stays_as_it_is() -> None:
    question = read_query("sourdough hydration")
    assert narrowed(question, {}, 100, 2) is question


def test_a_paragraph_is_narrowed_to_its_telling_terms() -> None:
    question = read_query("sourdough sourdough bread flour water unheard")
    n_holding = {"sourdough": 3, "bread": 50, "flour": 8, "water": 60}
    asked = narrowed(question, n_holding, 100, 2)
    assert asked.terms == ("sourdough", "flour")
    assert asked.weighted == ("sourdough", "sourdough", "flour")


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        ("what did I write about sleep?", "sleep?"),
        ("What have I written down about the boiler", "the boiler"),
        ("where did we note ERR-4032", "where did we note ERR-4032"),
        ("what do my notes say about moving house", "moving house"),
        ("everything I know about Kafka", "Kafka"),
        ("all that I've written on bread", "bread"),
        (" show me my notes on\nPostgres backups", "Postgres backups"),
        ("what did I write about", "what did I write about"),
        ("what did I write about  ", "what did I write about"),
        ("how do I write about grief", "how do I write about grief"),
        ("write-ahead log", "write-ahead log"),
        ("notes about the notes", "notes about the notes"),
        ("", ""),
    ],
)
def test_a_question_for_ones_notes_looks_for_its_subject(asked: str, subject: str) -> None:
    assert subject_of(asked) == subject


def test_the_subject_of_a_megabyte_is_read_at_once() -> None:
    assert subject_of("what did I write about" + " " * 1_000_000).startswith("what did")
    assert subject_of(" " * 1_000_000) == ""
