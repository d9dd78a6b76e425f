"""Passages of a readable document whose blocks are lost."""

from itertools import pairwise

import pytest

from notekin.core.chunks import LIMITS
from notekin.core.overlap import N_OVERLAP, cut_overlapping
from notekin.core.reading import read
from support.counting import count_words


@pytest.fixture
def text() -> str:
    sections = (
        f"## Part {part}\n\n" + " ".join(f"Rain fell on day {n} of {part}." for n in range(150))
        for part in ("one", "two")
    )
    return "# Rain\n\n" + "\n\n".join(sections) + "\n"


def test_a_passage_begins_with_the_end_of_the_one_before_under_the_same_heading(text: str) -> None:
    passages = cut_overlapping(read("rain.md", "markdown", text), count_words)

    n_overlapping = 0
    for before, after in pairwise(passages):
        n_shared = before.span.end - after.span.start
        if before.headings == after.headings:
            n_overlapping += 1
            assert 0 < n_shared <= N_OVERLAP
        else:
            assert n_shared <= 0
    assert n_overlapping > 4


def test_overlapping_passages_keep_within_the_limits_and_are_the_documents_text(text: str) -> None:
    for each in cut_overlapping(read("rain.md", "markdown", text), count_words):
        assert text[each.span.start : each.span.end] == each.text
        assert len(each.embedded) <= LIMITS.n_characters
        assert count_words([each.embedded])[0] + 2 <= LIMITS.n_tokens
