"""Bytes become text: encodings, broken bytes, and what is no text at all."""

import random
import re

import pytest

from notekin.adapters.decoding import decode
from notekin.app.errors import Unreadable
from support.real_data import real_data

GERMAN = "Grüße aus Köln: die Straße heißt »Am Römerturm«.\nÄpfel, Öl und Übermut.\n"
FRENCH = "Déjà vu à l'été : le garçon naïf a mangé une crêpe près de la forêt.\n"
SPANISH = "El niño comió piña en la montaña. ¿Qué más? ¡Adiós, señor Muñoz!\n"
RUSSIAN = "Заметки о том, как варить борщ и не забыть купить свёклу завтра.\n"  # noqa: RUF001
CHINESE = "中文合约转换体验课问题,今天我们学习如何做好笔记并且记住它们。\n"
JAPANESE = "今日は東京で寿司を食べました。とても美味しかったので、また行きたいです。\n"


@pytest.mark.parametrize("text", ["", "a", GERMAN, RUSSIAN, CHINESE, "😀e\u0301", "some words\0"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_comes_back_without_its_mark(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("text", [GERMAN, "# Notes\n\nplain\n", RUSSIAN, CHINESE, JAPANESE + "😀"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_a_mark_is_recognised(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("text", [GERMAN, FRENCH, SPANISH, "café", "Grüße", "£5", "naïve\n"])
def test_latin_1_is_read_right_even_when_short(text: str) -> None:
    assert decode(text.encode("cp1252")) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN * 3, "cp1251"),
        (RUSSIAN * 3, "koi8-r"),
        (CHINESE * 3, "gb18030"),
        (JAPANESE * 3, "cp932"),
        (JAPANESE * 3, "euc-jp"),
        (JAPANESE * 3, "iso2022_jp"),
        ("ASCII only, line by line.\n" * 2000 + RUSSIAN * 3, "cp1251"),
        (JAPANESE * 3000, "cp932"),
        (JAPANESE.replace("\n", "") * 3000, "euc-jp"),
    ],
)
def test_older_encodings_are_guessed(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "text", ["a\fb", "a\u2028b\u2029", "a\rb\rc", "a\r\nb", "\x1b[0m", "some words\0"]
)
def test_odd_characters_stay_where_they_are(text: str) -> None:
    assert decode(text.encode()) == text


def test_broken_bytes_in_utf_8_cost_only_themselves() -> None:
    data = GERMAN.encode() + b"\xff" + GERMAN.encode() + b"\xc3"
    assert decode(data) == f"{GERMAN}\ufffd{GERMAN}\ufffd"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\x7fELF\x02\x01\x01" + b"\0" * 64,
        b"%PDF-1.7\n",
        b"PK\x03\x04",
        b"\0" * 1000,
        b"GIF89a" + random.Random(4).randbytes(500),  # noqa: S311
        random.Random(1).randbytes(10_000),  # noqa: S311  # not for secrets
        random.Random(2).randbytes(256),  # noqa: S311
        bytes(range(256)) * 20,
        b"\xff\xfe" + random.Random(3).randbytes(1000),  # noqa: S311
    ],
)
def test_binary_data_is_refused_with_the_remedy(data: bytes) -> None:
    with pytest.raises(Unreadable, match=r"binary data, not text: .* exclude it"):
        decode(data)


@pytest.mark.parametrize("seed", range(20))
def test_any_bytes_become_text_or_unreadable(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    data = chance.randbytes(chance.randrange(40))
    try:
        text = decode(data)
    except Unreadable:
        return
    text.encode("utf-8")  # no lone surrogates: the index could not store them


# --- real files of known encoding ----------------------------------------------------------

_FAMILY = re.compile(r"(iso-8859-\d+|windows-\d+)-")  # the folders name languages too
_BINARY_BY_CHANCE = {"_mozilla_bug638318_text.html"}  # begins with pages of NULs


def truth(folder: str, data: bytes) -> str | None:
    """Return a file's text by the encoding its folder names, None where Python has none."""
    family = _FAMILY.match(folder)
    try:
        return data.decode(family[1] if family else folder, "replace").removeprefix("\ufeff")
    except LookupError:
        return None


def same_share(one: str, other: str) -> float:
    same = sum(a == b for a, b in zip(one, other, strict=False))
    return same / max(len(one), len(other), 1)


@pytest.mark.real_data
def test_files_in_thirty_encodings_are_nearly_all_read_right() -> None:
    n_right = n_files = 0
    for path in sorted((real_data("nasty") / "nasty" / "encodings").rglob("*")):
        if not path.is_file() or path.suffix == ".json" or path.name in _BINARY_BY_CHANCE:
            continue
        data = path.read_bytes()
        expected = truth(path.parent.name, data)
        if expected is not None:
            n_files += 1
            n_right += same_share(decode(data), expected) > 0.99
    assert n_files > 400
    assert n_right / n_files > 0.95  # measured: 0.96
