"""Which written targets mean which note."""

import pytest

from notekin.core.links import links_to, normalise

FROM = "daily/2024/today.md"


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("Bread", "cooking/Bread.md"),
        ("bread", "cooking/Bread.md"),
        ("cooking/bread", "home/cooking/Bread.md"),
        ("Bread.md", "cooking/Bread.md"),
        ("yesterday.md", "daily/2024/yesterday.md"),
        ("../../cooking/Bread.md", "cooking/Bread.md"),
        ("./yesterday", "daily/2024/yesterday.md"),
        ("/cooking/Bread.md", "cooking/Bread.md"),
        ("dendron.topic.links", "vault/dendron.topic.links.md"),
        ("Sourdough", "cooking/Bread.md"),
        ("Baking at home", "cooking/Bread.md"),
        ("Cafe\u0301", "places/Caf\u00e9.md"),
        ("STRASSE", "straße.md"),
        ("notes.pdf", "notes.pdf"),
        ("中文合約", "work/中文合約.md"),
    ],
)
def test_meant(target: str, path: str) -> None:
    aliases = ["Sourdough"] if "Bread" in path else []
    title = "Baking at home" if "Bread" in path else ""
    assert links_to(["other", target], FROM, path, title, aliases)


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("read", "cooking/Bread.md"),
        ("king/Bread", "cooking/Bread.md"),
        ("../Bread.md", "cooking/Bread.md"),
        ("../../../cooking/Bread.md", "cooking/Bread.md"),
        ("/Bread", "cooking/Bread.md"),
        ("dendron.topic", "dendron.topic.links.md"),
        ("", "cooking/Bread.md"),
        ("/", "cooking/Bread.md"),
    ],
)
def test_not_meant(target: str, path: str) -> None:
    assert not links_to([target], FROM, path, "", ())


def test_a_note_without_title_is_not_meant_by_nothing() -> None:
    assert not links_to([" "], FROM, "a.md", " ", [""])


def test_normalise() -> None:
    assert normalise("../A.md", "x/y/z.md") == ("x/a",)
    assert normalise("A.b", "x/z.md") == ("x/a.b", "a.b")
    assert normalise("../../A", "x/z.md") == ()
