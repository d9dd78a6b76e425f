"""The counter by which passages are cut counts as the shipped tokenizer does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.adapters import models, token_memory
from notekin.adapters.tokens import token_counter, whole_tokenizer
from support.real_data import real_data

TOKENIZER = whole_tokenizer(models.bundled_tokenizer())
COUNT = token_counter()


def counted_whole(text: str) -> int:
    return len(TOKENIZER.encode(text, add_special_tokens=False))


def test_tokens_are_counted_whole_and_without_special_ones() -> None:
    assert list(COUNT([])) == []
    assert list(COUNT(["", "hello", "hello world", "river " * 1000])) == [0, 1, 2, 1000]


def test_a_long_text_counts_as_at_once() -> None:
    text = "".join(f"violin, {number * 7919}\n" for number in range(16_000))
    assert list(COUNT([text])) == [counted_whole(text)]


@given(
    st.lists(
        st.text(alphabet="ab 1.,-é中文\n\r\x0b\x0c\x1c\x85\u00a0\u2028\u200b\ufffd😀", max_size=30),
        max_size=5,
    )
)
def test_counting_by_pieces_is_counting_whole_texts(texts: list[str]) -> None:
    assert list(COUNT(texts)) == [counted_whole(text) for text in texts]


@pytest.mark.real_data
def test_real_notes_count_as_at_once() -> None:
    paths = sorted(real_data("vaults").glob("vaults/knowledge-garden-zh/**/*.md"))[:150]
    texts = [path.read_text("utf-8", "replace") for path in paths]
    assert list(COUNT(texts)) == [counted_whole(text) for text in texts]


def test_a_full_memory_of_words_counts_on() -> None:
    count = token_counter()
    texts = [" ".join(f"w{text}x{word}" for word in range(3000)) for text in range(80)]
    first = list(count(texts))
    assert list(count(texts[:3])) == first[:3]
    assert list(count(texts)) == first


def test_a_full_memory_of_pieces_counts_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_memory, "_N_KNOWN", 5)
    texts = [" ".join(f"é{text}x{word}" for word in range(10)) for text in range(5)]
    assert list(token_counter()(texts)) == [counted_whole(text) for text in texts]


@given(
    st.lists(
        st.text(alphabet="aeiknrstZ019_-.[]!# \n\t\0\x0b\x1b\x1f\x7f", max_size=120)
        | st.sampled_from(
            ["[CLS]", "x[MASK].", "a [SEP] b", "[cls]", "unbelievably", "a" * 101, "z9" * 50]
        ),
        max_size=5,
    )
)
def test_words_are_cut_as_the_tokenizer_cuts_them(texts: list[str]) -> None:
    assert list(COUNT(texts)) == [counted_whole(text) for text in texts]
