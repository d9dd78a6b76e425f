"""Patterns of ignore files: what they match is what git matches, and none takes its time."""

import random
import re
import subprocess
import time
from pathlib import Path
from typing import cast

import pytest
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from notekin.adapters.globs import LinearPattern

PIECES = ("a", "b", "*", "*", "?", "**", "/", "/", "**/", "/**", "/**/", "[ab]", "!", "\\*", ".")


def _some_pattern(numbers: random.Random) -> str | None:
    line = "".join(numbers.choices(PIECES, k=numbers.randrange(1, 9)))
    try:
        return None if GitIgnoreSpecPattern(line).include is None else line
    except ValueError:
        return None


def _some_path(numbers: random.Random) -> str:
    names = ("".join(numbers.choices("ab.*", k=numbers.randrange(1, 5))) for _ in range(4))
    return "/".join(list(names)[: numbers.randrange(1, 5)]) + numbers.choice(("", "/"))


def _outcome(pattern: GitIgnoreSpecPattern, path: str) -> object:
    regex = cast("re.Pattern[str]", pattern.regex)  # pyright: ignore[reportUnknownMemberType]
    found = regex.match(path)
    return found and (pattern.include, found.groupdict())


def test_the_same_is_matched_as_without_care_for_time() -> None:
    numbers = random.Random(1)  # noqa: S311 -- no secret
    n_matched = 0
    for line in filter(None, (_some_pattern(numbers) for _ in range(4000))):
        quick, usual = LinearPattern(line), GitIgnoreSpecPattern(line)
        for path in (_some_path(numbers) for _ in range(10)):
            assert _outcome(quick, path) == _outcome(usual, path), (line, path)
            n_matched += _outcome(quick, path) is not None
    assert n_matched > 1000


@pytest.mark.parametrize("line", ["a[!b]*c", "*[!a]*[!b]c"])
def test_a_set_of_characters_holds_no_slash(tmp_path: Path, line: str) -> None:
    paths = ["a/c", "a/xc", "axc", "x/c", "xxc", "d/axyc"]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text(line, "utf-8")
    told = subprocess.run(
        ["git", "-C", str(tmp_path), "check-ignore", "--no-index", *paths],
        capture_output=True,
        text=True,
        check=False,
    )
    assert [p for p in paths if LinearPattern(line).match_file(p)] == told.stdout.split()


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("*a*a*a*a*a*a*a*b", "a" * 250),
        ("*a?*a?*a?*a?*a?*b", "a" * 250),
        ("**/a/**/a/**/a/**/a/**/b", "a/" * 2000),
        ("**/*a*a*a/**/*a*a*a*b/**/c*a*a", ("a" * 250 + "/") * 15),
        ("**a**a**a**a**a**b/", "a" * 250),
        ("*[!b]*[!b]*[!b]*[!b]*b", "a" * 250),
    ],
)
def test_no_pattern_takes_much_longer_than_a_plain_one(line: str, path: str) -> None:
    def seconds(pattern: LinearPattern) -> float:
        begun = time.thread_time()
        for _ in range(50):
            pattern.match_file(path)
        return time.thread_time() - begun

    # Trying all ways to share the name out takes some hundred thousand times as long.
    assert seconds(LinearPattern(line)) < 1000 * seconds(LinearPattern("b*"))
