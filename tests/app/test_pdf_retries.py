"""With which settings PDFs were read, as an index keeps it."""

import pytest
from attrs import evolve

from notekin.app.pdf_retries import PdfSettings
from notekin.app.ports import PdfOptions

SALT = "5a" * 16
OPTIONS = PdfOptions(passwords=("open sesame", "owl \udc80"), ocr=True)


def test_settings_come_back_as_they_were_kept() -> None:
    kept = PdfSettings.of(OPTIONS, SALT)

    assert PdfSettings.kept_as(kept.text) == kept
    assert not PdfSettings.of(OPTIONS, SALT).may_help(kept)


def test_no_password_is_in_what_is_kept_and_each_index_has_a_salt_of_its_own() -> None:
    kept = PdfSettings.of(OPTIONS, SALT)

    assert "sesame" not in kept.text
    # A digest this short fits thousands of the passwords of any dictionary.
    assert len(kept.passwords) == 4
    salts = {PdfSettings.kept_as("").salt for _ in range(2)}
    assert len(salts) == 2
    assert len({PdfSettings.of(OPTIONS, salt).passwords for salt in salts}) == 2


@pytest.mark.parametrize("text", ["", "[]", "{", '{"from": "a later version"}'])
def test_what_cannot_be_understood_is_as_if_nothing_was_kept(text: str) -> None:
    assert PdfSettings.of(PdfOptions(), SALT).may_help(PdfSettings.kept_as(text))


@pytest.mark.parametrize(
    ("change", "helps"),
    [
        ({"ocr": False}, False),
        ({"passwords": ()}, False),
        ({"passwords": ("open sesame",)}, True),
        ({"max_pages": 1}, False),
        ({"max_pages": 20_000}, True),
        ({"page_seconds": 31}, True),
        ({"memory_mb": 9_000}, True),
        ({"ocr": False, "memory_mb": 9_000}, True),
    ],
)
def test_only_what_lets_more_be_read_is_a_reason_to_read_again(
    change: dict[str, object], *, helps: bool
) -> None:
    kept = PdfSettings.of(OPTIONS, SALT)

    assert PdfSettings.of(evolve(OPTIONS, **change), SALT).may_help(kept) == helps
