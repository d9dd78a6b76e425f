"""Paths as the folders of a case-ignoring file system list them."""

from collections.abc import Iterable, Mapping

import pytest

from notekin.adapters.spelling import as_listed

LISTED: Mapping[str, Iterable[str]] = {
    "": ["Notes", "README.md", "readme.md"],
    "Notes": ["Cafe\u0301.md", "STRASSE.md"],
}


def names_in(folder: str) -> Iterable[str]:
    if folder not in LISTED:
        raise FileNotFoundError(folder)
    return LISTED[folder]


@pytest.mark.parametrize(
    ("path", "listed"),
    [
        ("Notes", "Notes"),
        ("notes/caf\u00e9.md", "Notes/Cafe\u0301.md"),
        ("NOTES/straße.md", "Notes/STRASSE.md"),
        ("readme.md", "readme.md"),
        ("README.md", "README.md"),
        ("notes/gone.md", "Notes/gone.md"),
        ("gone/a/b.md", "gone/a/b.md"),
    ],
)
def test_as_listed(path: str, listed: str) -> None:
    assert as_listed(path, names_in) == listed
