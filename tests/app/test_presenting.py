"""Results become messages: units, URIs, what is left out."""

from pathlib import Path
from typing import get_args

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.app import presenting, results
from notekin.app.results import ChunkCounts, Failure, LaneScore, NoteCounts, VaultStatus
from notekin.core import note, query
from notekin.core.note import Span
from notekin.core.text import Anchor, Encoding
from notekin_protocol import convert, messages

VAULT = Path.cwd().anchor / Path("My notes")
FOLDER = VAULT.as_uri()

HIT = results.Hit(
    folder=VAULT,
    path="küche/C# & 100%.md",
    ordinal=2,
    kind="markdown",
    start=Anchor(3, 4, 6),
    end=Anchor(5, 0, 0),
    title="Küche",
    headings=("Küche", "Brot"),
    text="a 🥖 b",
    score=0.123456,
)


def test_a_hit_on_the_wire() -> None:
    assert convert.write(presenting.hit(HIT, "utf-16")) == {
        "folder": FOLDER,
        "chunkId": "küche/C# & 100%.md#2",
        "uri": f"{FOLDER}/k%C3%BCche/C%23%20%26%20100%25.md",
        "range": {"start": {"line": 3, "character": 4}, "end": {"line": 5, "character": 0}},
        "title": "Küche",
        "headings": ["Küche", "Brot"],
        "text": "a 🥖 b",
        "highlights": [],
        "score": 0.1235,
    }


def test_what_is_known_of_a_hit_is_written() -> None:
    known = attrs.evolve(
        HIT, lexical=LaneScore(1, 7.00004), semantic=LaneScore(2, -0.25), linked=False, weak=True
    )
    written = convert.write(presenting.hit(known, "utf-16"))
    assert written["lexical"] == {"rank": 1, "score": 7.0}
    assert written["semantic"] == {"rank": 2, "score": -0.25}
    assert written["linked"] is False
    assert written["weak"] is True


@pytest.mark.parametrize(("encoding", "character"), [("utf-16", 4), ("utf-8", 6)])
def test_ranges_are_in_the_negotiated_encoding(encoding: Encoding, character: int) -> None:
    assert presenting.hit(HIT, encoding).range.start.character == character


def test_highlights_are_utf16_whatever_the_encoding_of_ranges() -> None:
    marked = attrs.evolve(HIT, highlights=(Span(4, 5), Span(2, 3)))
    expected = (messages.Span(2, 4), messages.Span(5, 6))
    for encoding in get_args(Encoding):
        assert presenting.hit(marked, encoding).highlights == expected


@given(st.text(min_size=1), st.data())
def test_a_highlight_covers_the_same_text_in_utf16(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    (span,) = presenting.spans(text, [Span(start, end)])
    units = text.encode("utf-16-le")[2 * span.start : 2 * span.end]
    assert units.decode("utf-16-le") == text[start:end]


def test_lone_surrogates_never_reach_the_wire() -> None:
    broken = attrs.evolve(
        HIT, path="\udcff.md", title="\udcff", headings=("\ud83d",), text="a 🥖\ud83d b"
    )
    shown = presenting.hit(broken, "utf-16")
    assert (shown.chunk_id, shown.title, shown.headings) == ("\ufffd.md#2", "\ufffd", ("\ufffd",))
    assert shown.text == "a 🥖\ufffd b"


def test_a_search_result_keeps_order_and_status() -> None:
    found = results.SearchResult(
        "found", (HIT, attrs.evolve(HIT, ordinal=0)), (VaultStatus(VAULT),), took_ms=1.23456
    )
    shown = presenting.search_result(found, "utf-16")
    assert [hit.chunk_id[-2:] for hit in shown.hits] == ["#2", "#0"]
    assert (shown.verdict, shown.took_ms, len(shown.status)) == ("found", 1.23, 1)


def test_a_status_before_anything_is_known() -> None:
    assert convert.write(presenting.index_status(VaultStatus(VAULT))) == {
        "folder": FOLDER,
        "phase": "starting",
        "notes": {"total": 0, "indexed": 0, "pending": 0, "failed": 0, "excluded": 0},
        "chunks": {"total": 0, "embedded": 0, "pending": 0},
        "model": {"name": "", "dim": 0, "fingerprint": ""},
        "revision": 0,
        "failures": [],
    }


def test_a_status_with_everything_known() -> None:
    status = VaultStatus(
        VAULT,
        phase="embedding",
        reason="modelChanged",
        notes=NoteCounts(n_total=9, n_indexed=4, n_pending=3, n_failed=2, n_excluded=1),
        chunks=ChunkCounts(n_total=7, n_embedded=5, n_pending=2),
        current="a/b.md",
        eta_seconds=12.345,
        model_name="mini",
        dim=384,
        fingerprint="abc",
        revision=17,
        failures=(Failure(VAULT / "x y.md", "It is binary."),),
    )
    assert convert.write(presenting.index_status(status)) == {
        "folder": FOLDER,
        "phase": "embedding",
        "reason": "modelChanged",
        "notes": {"total": 9, "indexed": 4, "pending": 3, "failed": 2, "excluded": 1},
        "chunks": {"total": 7, "embedded": 5, "pending": 2},
        "current": "a/b.md",
        "etaSeconds": 12.3,
        "model": {"name": "mini", "dim": 384, "fingerprint": "abc"},
        "revision": 17,
        "failures": [{"uri": f"{FOLDER}/x%20y.md", "reason": "It is binary."}],
    }


def test_an_estimate_of_zero_is_written() -> None:
    assert presenting.index_status(VaultStatus(VAULT, eta_seconds=0.0)).eta_seconds == 0.0


def test_at_most_twenty_failures_are_shown() -> None:
    failures = tuple(Failure(VAULT / f"{n}.md", "It is binary.") for n in range(25))
    shown = presenting.index_status(VaultStatus(VAULT, failures=failures)).failures
    assert [failure.uri for failure in shown] == [f"{FOLDER}/{n}.md" for n in range(20)]


def test_the_words_of_the_core_are_those_of_the_wire() -> None:
    assert get_args(note.Kind) == get_args(messages.Kind)
    assert get_args(query.Mode) == get_args(messages.Mode)
    assert get_args(results.Verdict) == get_args(messages.Verdict)
    assert get_args(results.Phase) == get_args(messages.Phase)
    assert get_args(results.Reason) == ("", *get_args(messages.Reason))
