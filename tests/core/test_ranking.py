"""Fusion, verdicts, titles and crowding."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.core.query import Mode, read_query
from notekin.core.ranking import (
    FOREIGN,
    RELATED,
    SEARCH,
    Candidate,
    Key,
    Lens,
    TitleMatch,
    feedback_keys,
    fuse,
    lens_for,
    title_match,
)

HYBRID = Lens("hybrid")
MODEL = "sentence-transformers/all-MiniLM-L6-v2"


def keys(candidates: list[Candidate[Key]], lens: Lens = HYBRID) -> list[Key]:
    return [each.key for each in fuse(candidates, lens)]


def test_nothing_to_rank() -> None:
    assert fuse([], HYBRID) == []


def test_both_lanes_count() -> None:
    found = fuse(
        [
            Candidate("words", 1, bm25=10.0, cosine=0.1, coverage=1.0),
            Candidate("both", 2, bm25=9.0, cosine=0.6, coverage=1.0),
            Candidate("meaning", 3, cosine=0.62),
        ],
        HYBRID,
    )
    assert [each.key for each in found] == ["both", "meaning", "words"]
    assert [each.lexical_rank for each in found] == [2, None, 1]
    assert [each.semantic_rank for each in found] == [2, 1, 3]
    assert found[1].semantic_score == 0.62
    assert found[1].lexical_score is None


@pytest.mark.parametrize(
    ("mode", "expected"), [("lexical", ["words"]), ("semantic", ["meaning", "words"])]
)
def test_a_mode_keeps_to_its_lane(mode: Mode, expected: list[str]) -> None:
    pool = [Candidate("words", 1, bm25=3.0, cosine=0.2), Candidate("meaning", 2, cosine=0.6)]
    assert keys(pool, Lens(mode)) == expected


def test_without_vectors_words_carry_the_hybrid_search() -> None:
    found = fuse(
        [
            Candidate("a", 1, bm25=2.0, coverage=0.3),
            Candidate("b", 2, bm25=4.0, coverage=0.9),
        ],
        HYBRID,
    )
    assert [(each.key, each.score, each.weak) for each in found] == [
        ("b", 1.0, False),
        ("a", 0.5, True),
    ]


def test_a_passage_that_waits_for_its_vector_is_not_sunk() -> None:
    pool = [
        Candidate("waits", 1, bm25=10.0, coverage=1.0),
        Candidate("one", 2, bm25=6.0, cosine=0.4),
        Candidate("other", 3, bm25=2.0, cosine=0.3),
    ]
    assert keys(pool) == ["waits", "one", "other"]


def test_the_moved_query_ranks_and_the_asked_one_judges() -> None:
    found = fuse(
        [
            Candidate("near", 1, cosine=0.2, moved=0.9),
            Candidate("far", 2, cosine=0.6, moved=0.5),
        ],
        HYBRID,
    )
    assert [(each.key, each.weak) for each in found] == [("near", True), ("far", False)]


@pytest.mark.parametrize(
    ("cosine", "coverage", "weak"),
    [
        (0.15, 0.3, True),  # neither
        (0.51, 0.0, False),  # a paraphrase without a shared word
        (0.05, 1.0, False),  # an identifier that means nothing to the model
        (0.4, 0.3, False),  # a little of both
        (0.4, 0.2, True),
        (0.3, 0.5, True),  # words that happen to stand there
        (None, 0.5, False),
        (None, 0.2, True),
    ],
)
def test_what_is_relevant(cosine: float | None, coverage: float, weak: bool) -> None:  # noqa: FBT001
    pool = [Candidate("a", 1, bm25=1.0, cosine=cosine, coverage=coverage)]
    found = fuse(pool, HYBRID)
    assert found[0].weak is weak


def test_cosines_of_a_foreign_script_prove_nothing() -> None:
    pool = [Candidate("a", 1, cosine=0.7, coverage=0.1)]
    assert fuse(pool, Lens("hybrid", FOREIGN))[0].weak
    pairs = [Candidate("a", 1, bm25=3.0, cosine=0.7, coverage=0.3)]
    assert not fuse(pairs, Lens("hybrid", FOREIGN, pairs=True))[0].weak


@pytest.mark.parametrize(
    ("query", "model", "weights", "pairs"),
    [
        ("how to keep a laptop awake", MODEL, SEARCH, False),
        ("Straße nach Süden", MODEL, SEARCH, False),
        ("1.0.21", MODEL, SEARCH, False),
        ("中文合約問題", MODEL, FOREIGN, True),
        ("как испечь хлеб", MODEL, FOREIGN, False),
        ("как испечь хлеб", "intfloat/multilingual-e5-large", SEARCH, False),
    ],
)
def test_how_a_question_is_looked_at(
    query: str, model: str, weights: object, pairs: object
) -> None:
    lens = lens_for(read_query(query), "hybrid", model)
    assert (lens.weights, lens.pairs) == (weights, pairs)


@pytest.mark.parametrize(
    ("paragraph", "weights"),
    [("The parsnips came up late this year.", RELATED), ("ジャガイモを植えた。", FOREIGN)],
)
def test_a_paragraph_of_a_foreign_script_is_not_asked_for_by_its_meaning(
    paragraph: str, weights: object
) -> None:
    assert lens_for(read_query(paragraph), "hybrid", MODEL, RELATED).weights == weights


@pytest.mark.parametrize(
    ("query", "title", "match"),
    [
        ("Sourdough", "sourdough", TitleMatch.SAME),
        ("cafe", "Café", TitleMatch.SAME),
        ("3.1.", "3.1. Plan", TitleMatch.HOLDS),
        ("3.1.", "3.1.2 Budget", TitleMatch.NONE),
        ("3.1.", "3.1", TitleMatch.SAME),
        ("ERR-4032", "Notes on ERR-4032", TitleMatch.HOLDS),
        ('"1.0.21"', "Release 1.0.21", TitleMatch.HOLDS),
        ("git", "git stash", TitleMatch.NONE),
        ("kafka", "What I know about Kafka", TitleMatch.SAME),
        ("", "", TitleMatch.NONE),
        ("*", "#", TitleMatch.NONE),
    ],
)
def test_titles(query: str, title: str, match: TitleMatch) -> None:
    assert title_match(read_query(query), title) is match


def test_the_note_with_the_asked_title_comes_first_once() -> None:
    pool = [
        Candidate("best", 1, bm25=9.0, cosine=0.9, coverage=1.0),
        Candidate("titled", 2, bm25=3.0, cosine=0.3, title=TitleMatch.SAME),
        Candidate("titled too", 2, bm25=1.0, cosine=0.1, title=TitleMatch.SAME),
        Candidate("holds", 3, bm25=2.0, cosine=0.2, title=TitleMatch.HOLDS),
    ]
    assert keys(pool) == ["titled", "holds", "best", "titled too"]


def test_one_note_does_not_crowd_the_others_out() -> None:
    pool = [Candidate(f"a{n}", "a", bm25=10.0, cosine=0.6 - n / 1000) for n in range(6)]
    pool.append(Candidate("b", "b", bm25=9.0, cosine=0.55))
    assert keys(pool)[:4] == ["a0", "a1", "a2", "b"]


def test_ties_keep_the_order_given() -> None:
    pool = [Candidate(str(n), n, bm25=1.0, cosine=0.5) for n in range(9)]
    assert keys(pool) == [str(n) for n in range(9)]


def test_feedback_comes_from_strong_passages_with_a_vector() -> None:
    pool = [
        Candidate("strong", 1, bm25=5.0, cosine=0.7, coverage=1.0),
        Candidate("weak", 2, bm25=4.0, cosine=0.2, coverage=0.2),
        Candidate("no vector", 3, bm25=4.5, coverage=1.0),
        Candidate("strong too", 4, cosine=0.1),
    ]
    assert feedback_keys(fuse(pool, HYBRID), HYBRID) == ["strong"]
    lexical = Lens("lexical")
    assert feedback_keys(fuse(pool, lexical), lexical) == []
    foreign = Lens("hybrid", FOREIGN)
    assert feedback_keys(fuse(pool, foreign), foreign) == []


# Nought, or large enough that a power of two scales it exactly: the least floats would lose bits.
_numbers = st.none() | st.just(0.0) | st.floats(1e-300, 50)
_cosines = st.none() | st.floats(-1, 1)
_candidates = st.lists(
    st.builds(
        Candidate[int],
        key=st.integers(),
        note=st.integers(0, 4),
        bm25=_numbers,
        cosine=_cosines,
        moved=_cosines,
        coverage=st.floats(0, 1),
        title=st.sampled_from(TitleMatch),
    ),
    unique_by=lambda each: each.key,
    max_size=20,
)


@given(_candidates, st.sampled_from(["hybrid", "lexical", "semantic"]))
def test_scores_stand_between_nought_and_one_and_fall(
    candidates: list[Candidate[int]], mode: Mode
) -> None:
    scores = [each.score for each in fuse(candidates, Lens(mode))]
    assert all(0 <= score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)


@given(_candidates)
def test_a_passage_is_ranked_once(candidates: list[Candidate[int]]) -> None:
    found = [each.key for each in fuse(candidates, HYBRID)]
    assert sorted(found) == sorted(each.key for each in candidates)


@given(_candidates, st.randoms(use_true_random=False))
def test_the_scale_of_bm25_does_not_matter(
    candidates: list[Candidate[int]], chance: random.Random
) -> None:
    scale = 2.0 ** chance.randint(-3, 3)
    scaled = [
        each._replace(bm25=None if each.bm25 is None else each.bm25 * scale) for each in candidates
    ]
    assert keys(candidates) == keys(scaled)
