"""Ignore rules: which notes of a small tree a scan lets through."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from notekin.adapters.files import VaultFiles
from notekin.adapters.ignore import MOST_PATTERNS

TREE = (
    "a.md", "draft.md", "keep/a.md", "keep/draft.md", "build/a.md", "build/deep/b.md",
    "x/build/c.md", "x/y/log.txt", "node_modules/p/readme.md", ".obsidian/a.md", ".hidden.md",
)  # fmt: skip


def lay_out(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def found(root: Path, *exclude: str) -> set[str]:
    return {file.path for file in VaultFiles(root, exclude).scan()}


ALL = {"a.md", "draft.md", "keep/a.md", "keep/draft.md", "build/a.md", "build/deep/b.md",
       "x/build/c.md", "x/y/log.txt"}  # fmt: skip


@pytest.mark.parametrize(
    ("files", "exclude", "left_out", "brought_back"),
    [
        ({}, [], set[str](), set[str]()),
        ({".gitignore": "draft.md"}, [], {"draft.md", "keep/draft.md"}, set[str]()),
        ({".gitignore": "/draft.md"}, [], {"draft.md"}, set[str]()),
        (
            {".gitignore": "build/"},
            [],
            {"build/a.md", "build/deep/b.md", "x/build/c.md"},
            set[str](),
        ),
        ({".gitignore": "/build"}, [], {"build/a.md", "build/deep/b.md"}, set[str]()),
        # A file below a folder that is left out cannot be brought back, as in git.
        (
            {".gitignore": "/build/\n!/build/a.md"},
            [],
            {"build/a.md", "build/deep/b.md"},
            set[str](),
        ),
        ({".gitignore": "/build/*\n!/build/a.md"}, [], {"build/deep/b.md"}, set[str]()),
        ({".gitignore": "draft.md", "keep/.gitignore": "!draft.md"}, [], {"draft.md"}, set[str]()),
        ({"keep/.gitignore": "/a.md"}, [], {"keep/a.md"}, set[str]()),
        ({".gitignore": "# all\n\n[\n\\\n*.txt  \n"}, [], {"x/y/log.txt"}, set[str]()),
        ({".gitignore": "\ufeffdraft.md\r\n*.txt\r\n"}, [],
         {"draft.md", "keep/draft.md", "x/y/log.txt"}, set[str]()),
        ({".notekinignore": "x"}, [], {"x/build/c.md", "x/y/log.txt"}, set[str]()),
        ({".gitignore": "draft.md", ".notekinignore": "!draft.md"}, [], set[str](), set[str]()),
        ({".notekinignore": "keep/"}, ["!keep/"], set[str](), set[str]()),
        ({}, ["**/draft.md"], {"draft.md", "keep/draft.md"}, set[str]()),
        ({".gitignore": "!.obsidian/"}, [], set[str](), set[str]()),
        ({".notekinignore": "!.obsidian/"}, [], set[str](), {".obsidian/a.md"}),
        ({}, ["!.hidden.md", "!node_modules/"], set[str](),
         {".hidden.md", "node_modules/p/readme.md"}),
    ],
)  # fmt: skip
def test_sources_and_their_order(
    tmp_path: Path,
    files: dict[str, str],
    exclude: list[str],
    left_out: set[str],
    brought_back: set[str],
) -> None:
    lay_out(tmp_path, dict.fromkeys(TREE, "x") | files)
    vault = VaultFiles(tmp_path, exclude)
    paths = {file.path for file in vault.scan()}
    assert paths == (ALL - left_out) | brought_back
    # One path alone and one folder alone follow the same rules.
    assert {path for path in TREE if vault.find(path)} == paths
    assert {f.path for f in vault.below("keep")} == {p for p in paths if p.startswith("keep/")}


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_itself_agrees(tmp_path: Path) -> None:
    lay_out(tmp_path, dict.fromkeys(ALL, "x"))
    lay_out(
        tmp_path,
        {
            ".gitignore": "/build/*\n!/build/deep/\n*.txt\nkeep/*\n!keep/a.md\n",
            "x/.gitignore": "!log.txt\nbuild",
            "build/deep/.gitignore": "b.?d",
        },
    )
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    listed = subprocess.run(
        ["git", "-C", str(tmp_path), "ls-files", "-o", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    )
    notes = {path for path in listed.stdout.splitlines() if not path.endswith(".gitignore")}
    assert found(tmp_path) == notes


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    lay_out(
        tmp_path,
        {
            ".gitignore": "above.md",
            "repo/.git/HEAD": "",
            "repo/.gitignore": "docs/secret.md\n*.txt",
            "repo/docs/.gitignore": "!kept.txt",
            "repo/docs/vault/a.md": "",
            "repo/docs/vault/above.md": "",
            "repo/docs/vault/log.txt": "",
            "repo/docs/vault/kept.txt": "",
        },
    )
    return tmp_path / "repo"


def test_rules_above_the_vault_count_up_to_the_repositorys_root(repository: Path) -> None:
    assert found(repository / "docs" / "vault") == {"a.md", "above.md", "kept.txt"}


def test_without_a_repository_nothing_above_counts(repository: Path) -> None:
    (repository / ".git" / "HEAD").unlink()
    (repository / ".git").rmdir()
    assert found(repository / "docs" / "vault") == {"a.md", "above.md", "kept.txt", "log.txt"}


@pytest.mark.parametrize("line", ["docs/", "/docs/vault", "vault", "*"])
def test_a_vault_that_its_repository_ignores_is_indexed_all_the_same(
    repository: Path, line: str
) -> None:
    (repository / ".gitignore").write_text(f"{line}\n*.txt\n", "utf-8")
    assert "a.md" in found(repository / "docs" / "vault")


def test_a_changed_ignore_file_counts_at_once(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a.md": "", "b.md": "", ".gitignore": "a.md"})
    vault = VaultFiles(tmp_path)
    assert vault.find("a.md") is None
    lay_out(tmp_path, {".gitignore": "b.md b.md"})
    assert vault.find("a.md")
    lay_out(tmp_path, {".gitignore": "b.md"})
    assert vault.find("b.md") is None
    (tmp_path / ".gitignore").unlink()
    assert vault.find("b.md")


def test_what_was_left_out_is_counted_and_hidden_names_are_not(tmp_path: Path) -> None:
    lay_out(tmp_path, dict.fromkeys(TREE, "x") | {"junk.bin": "", ".gitignore": "build/\n*.bin"})
    vault = VaultFiles(tmp_path, ["draft.md"])
    list(vault.scan())
    assert vault.n_excluded() == 4  # build, x/build, and two drafts


def test_a_folder_that_is_left_out_is_never_listed(tmp_path: Path) -> None:
    lay_out(tmp_path, dict.fromkeys(TREE, "x") | {".gitignore": "build/"})
    listed: list[str] = []

    def spy(folder: Path) -> Iterable["os.DirEntry[str]"]:
        listed.append(folder.relative_to(tmp_path).as_posix())
        return os.scandir(folder)

    list(VaultFiles(tmp_path, list_folder=spy).scan())
    assert listed == [".", "keep", "x", "x/y"]


def test_a_pattern_made_to_take_ages_takes_none(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a" * 250: "", "a" * 240 + ".md": "", "b.md": ""})
    lay_out(tmp_path, {".gitignore": "*a*a*a*a*a*a*a*a*a*b\nb*", ".notekinignore": "*a" * 90 + "b"})
    assert found(tmp_path) == {"a" * 240 + ".md"}


def test_of_too_many_patterns_the_first_hold_and_one_sentence_says_so(tmp_path: Path) -> None:
    lines = [f"{number}.md" for number in range(MOST_PATTERNS + 1)]
    names = [lines[0], lines[-2], lines[-1], "a.md", "b/c.md"]
    lay_out(tmp_path, dict.fromkeys(names, ""))
    lay_out(tmp_path, {".gitignore": "\n".join(lines[:-1])})
    vault = VaultFiles(tmp_path)
    assert {file.path for file in vault.scan()} == {lines[-1], "a.md", "b/c.md"}
    assert vault.notice == ""
    lay_out(tmp_path, {".gitignore": "\n".join(lines), "b/.notekinignore": "c.md"})
    assert {file.path for file in vault.scan()} == {lines[-1], "a.md", "b/c.md"}
    assert str(tmp_path / ".gitignore") in vault.notice
    assert "first 1,000" in vault.notice
    lay_out(tmp_path, {".gitignore": "a.md"})
    assert {file.path for file in vault.scan()} == {lines[0], lines[-2], lines[-1]}
    assert vault.notice == ""


def test_a_line_as_long_as_a_book_is_no_pattern(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a.md": "", "b.md": "", ".gitignore": "*a" * 100_000 + "\nb.md"})
    assert found(tmp_path) == {"a.md"}
