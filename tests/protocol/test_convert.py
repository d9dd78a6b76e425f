"""Reading refuses what does not fit, in a sentence; writing leaves out what is not there."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin_protocol import convert, messages
from notekin_protocol.typescript import message_classes

CASES = Path(__file__).parents[1] / "cases" / "protocol" / "malformed.json"

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
FIELD_NAMES = (
    *("query", "limit", "mode", "folders", "kinds", "position", "textDocument", "uri", "line"),
    *("character", "force", "folder", "status", "hits", "score", "rank", "reason", "provider"),
)


@pytest.mark.parametrize(("name", "payload", "sentence"), json.loads(CASES.read_text("utf-8")))
def test_refuses_in_a_sentence(name: str, payload: Any, sentence: str) -> None:
    with pytest.raises(convert.MalformedParams) as refused:
        convert.read(getattr(messages, name), payload)
    assert str(refused.value) == sentence


@given(
    st.sampled_from(message_classes()),
    st.dictionaries(st.sampled_from(FIELD_NAMES), JSON_VALUES, max_size=4) | JSON_VALUES,
)
def test_any_json_is_read_or_refused(cls: type[object], payload: Any) -> None:
    message = None
    with suppress(convert.MalformedParams):
        message = convert.read(cls, payload)
    if message is not None:
        assert convert.read(cls, convert.write(message)) == message


def test_defaults_stand_for_what_is_left_out() -> None:
    params = convert.read(messages.SearchParams, {"query": "tea"})
    assert params == messages.SearchParams(
        query="tea", limit=10, mode="hybrid", folders=(), kinds=(), tags=()
    )


def test_null_stands_for_an_optional_left_out() -> None:
    payload = {"query": "tea", "limit": None, "mode": None, "folders": None}
    assert convert.read(messages.SearchParams, payload) == messages.SearchParams("tea")


def test_unknown_fields_are_ignored() -> None:
    payload: dict[str, object] = {"query": "tea", "workDoneToken": 3, "from": {"a": []}}
    assert convert.read(messages.SearchParams, payload) == messages.SearchParams("tea")


def test_no_params_at_all_are_empty_params() -> None:
    assert convert.read(messages.StatusParams, None) == messages.StatusParams()


def test_a_whole_number_may_be_written_with_a_point() -> None:
    limit = convert.read(messages.SearchParams, {"query": "tea", "limit": 10.0}).limit
    assert (limit, type(limit)) == (10, int)


def test_none_is_left_out_but_for_the_provider() -> None:
    assert convert.write(messages.FolderParams()) == {}
    assert convert.write(messages.Answer("notFound", "", (), None)) == {
        "verdict": "notFound",
        "text": "",
        "citations": [],
        "provider": None,
    }


def test_false_zero_and_empty_are_written() -> None:
    written = convert.write(messages.RelatedParams(messages.TextDocumentIdentifier("")))
    assert written == {"textDocument": {"uri": ""}, "limit": 5, "includeSelf": False}


def test_a_tuple_of_messages_is_written_as_a_list() -> None:
    written = convert.write((messages.ReindexResult(1), messages.ReindexResult(2)))
    assert written == [{"queued": 1}, {"queued": 2}]


def test_announces_what_is_served_in_the_order_of_the_protocol() -> None:
    assert convert.announced(["notekin/status", "notekin/search", "notekin/status"]) == {
        "protocolVersion": 1,
        "methods": ["notekin/search", "notekin/status"],
    }


def test_announces_nothing_that_the_protocol_does_not_have() -> None:
    with pytest.raises(ValueError, match=r"notekin/dream"):
        convert.announced(["notekin/dream"])
