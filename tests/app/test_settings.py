"""Settings: what is accepted, what is refused and in which words."""

import attrs
import pytest

from notekin.app.overlays import Overlay, Source, merge, parse
from notekin.app.settings import Settings, about, catalogue

PERSON = Source("config.toml")
VAULT = Source("notekin.toml", "vault")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (None, {}),
        ({}, {}),
        ({"hover": False}, {"hover": False}),
        ({"indexing": {"threads": 2}}, {"indexing_threads": 2}),
        ({"indexing.threads": 2}, {"indexing_threads": 2}),
        ({"exclude": ["drafts/", "!drafts/keep.md"]}, {"exclude": ("drafts/", "!drafts/keep.md")}),
        ({"suffixes": [".TeX"]}, {"suffixes": (".tex",)}),
        ({"notekin": {"model": "m"}}, {"model": "m"}),
        ({"workspaceSymbols": False}, {"workspace_symbols": False}),
        ({"hover": None, "indexing": {"threads": None}}, {}),
        ({"ui": {"anything": 1}, "trace": {"server": "off"}}, {}),
    ],
)
def test_a_valid_setting_is_taken(raw: object, expected: dict[str, object]) -> None:
    assert parse(raw, PERSON) == Overlay(expected)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"hover": "yes"}, ['"hover"', '"yes"', "config.toml", "true or false"]),
        ({"hover": 1}, ["true or false"]),
        ({"indexing": {"threads": -1}}, ['"indexing.threads"', "-1", "from 0 to"]),
        ({"indexing": {"threads": True}}, ["from 0 to"]),
        ({"indexing": 3}, ['"indexing"']),
        ({"exclude": "drafts"}, ['"exclude"', "list of patterns"]),
        ({"exclude": ["x"] * 1001}, ["1,000 at most"]),
        ({"exclude": ["**/a*b*c*/**/*.md"]}, []),
        ({"exclude": [1]}, ["list of patterns"]),
        ({"exclude": ["a\nb"]}, ["list of patterns"]),
        ({"suffixes": {".tex": "text"}}, ['"suffixes"', ".tex", "with their dot"]),
        ({"suffixes": ["tex"]}, ['"suffixes"']),
        ({"suffixes": ["."]}, ['"suffixes"']),
        ({"suffixes": ["./a"]}, ['"suffixes"']),
        ({"model": ""}, ['"model"', "a name in quotes"]),
        ({"model": "x" * 500}, []),
        ([], ["settings in config.toml", "must be a table, not []"]),
        ("on", ["must be a table", '"on"']),
    ],
)
def test_a_wrong_setting_is_told_in_a_sentence(raw: object, words: list[str]) -> None:
    overlay = parse(raw, PERSON)
    told = " ".join([*map(str, overlay.errors), *overlay.warnings])
    assert all(word in told for word in words)
    assert bool(words) == bool(told)


def test_a_wrong_setting_does_not_stop_the_others() -> None:
    overlay = parse({"hover": "yes", "indexing": {"threads": 2}}, PERSON)
    assert (overlay.values, len(overlay.errors)) == ({"indexing_threads": 2}, 1)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("hoover", 'did you mean "hover"?'),
        ("workspace_symbols", 'did you mean "workspaceSymbols"?'),
        ("indexing.thread", 'did you mean "indexing.threads"?'),
        ("colour", "remove it or correct its name."),
    ],
)
def test_an_unknown_name_is_a_warning_with_the_nearest_one(name: str, hint: str) -> None:
    overlay = parse({name: 1}, PERSON)
    assert not overlay.errors
    assert overlay.warnings == (f'config.toml sets "{name}", which Notekin does not know; {hint}',)


@pytest.mark.parametrize(
    "name", [name for name, a in catalogue().items() if about(a).scope == "person"]
)
def test_a_vault_may_not_set_what_is_the_persons(name: str) -> None:
    overlay = parse({name: catalogue()[name].default}, VAULT)
    assert not overlay.values
    assert "own settings" in str(overlay.errors[0])
    assert f'notekin.toml may not set "{name}"' in str(overlay.errors[0])


@pytest.mark.parametrize(
    "source", [VAULT, Source("initializationOptions"), Source("your editor's settings")]
)
def test_secrets_stand_in_the_persons_own_file_only_and_are_shown_to_nobody(
    source: Source,
) -> None:
    secrets = {"pdf": {"passwords": ["open sesame"]}}
    overlay = parse(secrets, source)
    assert not overlay.values
    assert "config.toml and nowhere else" in str(overlay.errors[0])
    own = parse(secrets, Source("config.toml", "file"))
    assert own.values == {"pdf_passwords": ("open sesame",)}
    wrong = parse({"pdf": {"passwords": "open sesame"}}, Source("config.toml", "file"))
    told = "".join([*map(str, (*overlay.errors, *wrong.errors)), repr(merge(own))])
    assert "sesame" not in told


def test_the_model_is_the_persons() -> None:
    assert about(catalogue()["model"]).scope == "person"


def test_sources_are_laid_over_each_other() -> None:
    person = parse({"exclude": ["a"], "hover": False, "suffixes": [".x"]}, PERSON)
    editor = parse({"hover": True, "model": "m"}, Source("initializationOptions"))
    vault = parse({"exclude": ["b", "a"], "suffixes": [".y"]}, VAULT)
    assert merge(person, editor, vault) == Settings(
        model="m", exclude=("a", "b"), suffixes=(".x", ".y")
    )


def test_nothing_set_means_the_defaults() -> None:
    assert merge() == Settings()


@pytest.mark.parametrize("values", [{"hover": "x"}, {"indexing_threads": -1}, {"model": ""}])
def test_settings_cannot_be_made_wrong(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="must be"):
        attrs.evolve(Settings(), **values)


def test_every_setting_is_described() -> None:
    for name, attribute in catalogue().items():
        what = about(attribute)
        assert name == what.name
        assert what.doc.endswith(".")
        assert what.shape.schema
        what.shape.read(attribute.default)
