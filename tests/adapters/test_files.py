"""A vault's files: what is found, in which order, and what is named with a problem."""

import os
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from notekin.adapters.files import VaultFiles
from notekin.app.errors import Unreadable
from notekin.app.ports import FoundFile

linux = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX file system")
Entries = Iterable["os.DirEntry[str]"]


def write(root: Path, *names: str, text: str = "x") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def problems(files: Iterable[FoundFile]) -> dict[str, str]:
    return {file.path: file.problem for file in files}


def test_notes_are_found_in_a_fixed_order_with_kind_and_stat(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/z.txt", "a/b/c.MDX", "c.org", "no.png", "a/.md", "Z.markdown")
    found = list(VaultFiles(tmp_path).scan())
    assert [(file.path, file.kind) for file in found] == [
        ("Z.markdown", "markdown"),
        ("b.md", "markdown"),
        ("c.org", "text"),
        ("a/z.txt", "text"),
        ("a/b/c.MDX", "markdown"),
    ]
    stat = (tmp_path / "b.md").stat()
    seen = found[1].stat
    assert (seen.mtime_ns, seen.size, seen.inode) == (stat.st_mtime_ns, 1, stat.st_ino)


def test_further_suffixes_are_a_setting(tmp_path: Path) -> None:
    write(tmp_path, "a.adoc", "b.tex")
    assert [f.path for f in VaultFiles(tmp_path, suffixes=[".adoc"]).scan()] == ["a.adoc"]


@linux
@pytest.mark.parametrize(
    "name", ["plain.md", "a b/c.md", "é/語.md", "100%.md", "#tag.md", "a\nb.md"]
)
def test_every_way_to_a_note_says_the_same(tmp_path: Path, name: str) -> None:
    write(tmp_path, name)
    vault = VaultFiles(tmp_path)
    (scanned,) = vault.scan()
    assert scanned.path == name
    assert vault.find(name) == scanned
    assert list(vault.below(name.rpartition("/")[0])) == [scanned]
    assert vault.read(name).stat == scanned.stat


@linux
def test_names_that_look_alike_stay_distinct(tmp_path: Path) -> None:
    names = [
        "a b.md",
        "a_b.md",
        "a-b.md",
        "README.md",
        "readme.md",
        "caf\u00e9.md",
        "cafe\u0301.md",
    ]
    write(tmp_path, *names)
    found = problems(VaultFiles(tmp_path).scan())
    assert found == dict.fromkeys(names, "")


@pytest.mark.parametrize(
    "path", ["gone.md", "gone/a.md", "../a.md", "./a.md", "a//b.md", "", "/etc/hosts.txt", "a\0.md",
             "a", "no.png", "a.md/b.md"]
)  # fmt: skip
def test_what_is_no_note_is_not_found(tmp_path: Path, path: str) -> None:
    vault_folder = tmp_path / "vault"
    write(vault_folder, "a.md", "a/b.md", "no.png")
    write(tmp_path, "a.md")
    vault = VaultFiles(vault_folder)
    assert vault.find(path) is None
    assert path in {"a", ""} or list(vault.below(path)) == []


def test_a_folder_named_like_a_note_is_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "odd.md/a.md")
    vault = VaultFiles(tmp_path)
    assert [file.path for file in vault.scan()] == ["odd.md/a.md"]
    assert vault.find("odd.md") is None


def test_a_vault_that_cannot_be_listed_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be listed"):
        list(VaultFiles(tmp_path / "gone").scan())


# --- what systems like this one broke on ---------------------------------------------------


def make_loop(root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "odd").symlink_to(root / "sub", target_is_directory=True)


def make_link_to_itself(root: Path) -> None:
    (root / "odd.md").symlink_to(root / "odd.md")


def make_link_to_nothing(root: Path) -> None:
    (root / "odd.md").symlink_to(root / "gone.md")


def make_link_out(root: Path) -> None:
    write(root.parent, "outside/note.md")
    (root / "odd.md").symlink_to(root.parent / "outside" / "note.md")


def make_folder_link_out(root: Path) -> None:
    write(root.parent, "outside/note.md")
    (root / "odd").symlink_to(root.parent / "outside", target_is_directory=True)


def make_pipe(root: Path) -> None:
    os.mkfifo(root / "odd.md")


def make_socket(root: Path) -> None:
    here = Path.cwd()
    os.chdir(root)  # a socket's path may only have some hundred characters
    try:
        with socket.socket(socket.AF_UNIX) as unix:
            unix.bind("odd.md")
    finally:
        os.chdir(here)


def make_large(root: Path) -> None:
    with (root / "odd.md").open("wb") as file:
        file.truncate(50_000_001)


def make_name_without_encoding(root: Path) -> None:
    with open(os.fsencode(root) + b"/odd\xe9.md", "wb"):  # noqa: PTH123  # bytes are the point
        pass


def make_folder_name_without_encoding(root: Path) -> None:
    os.mkdir(os.fsencode(root) + b"/odd\xe9")  # noqa: PTH102  # bytes are the point


def test_a_note_that_grows_while_it_is_opened_is_read_wholly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.md", text="tide " * 5000)
    fstat = os.fstat

    def before(handle: int) -> object:
        now = fstat(handle)
        return SimpleNamespace(st_mode=now.st_mode, st_size=9, st_mtime_ns=1, st_ino=now.st_ino)

    monkeypatch.setattr(os, "fstat", before)
    read = VaultFiles(tmp_path).read("a.md")
    assert (read.text, read.stat.size) == ("tide " * 5000, 9)


@linux
@pytest.mark.parametrize(
    ("make", "path", "problem"),
    [
        (make_loop, "sub/odd", "back to a folder it lies in"),
        (make_link_to_itself, "odd.md", "leads nowhere"),
        (make_link_to_nothing, "odd.md", "leads nowhere"),
        (make_link_out, "odd.md", "out of the vault"),
        (make_folder_link_out, "odd", "out of the vault"),
        (make_pipe, "odd.md", "a pipe"),
        (make_socket, "odd.md", "a socket"),
        (make_large, "odd.md", "larger than 50 MB"),
        (make_name_without_encoding, "odd\\xe9.md", "not valid Unicode"),
        (make_folder_name_without_encoding, "odd\\xe9", "not valid Unicode"),
    ],
)
def test_what_cannot_be_read_is_named_once_and_the_rest_goes_on(
    tmp_path: Path, make: Callable[[Path], None], path: str, problem: str
) -> None:
    root = tmp_path / "vault"
    write(root, "a.md", "z/b.md")
    make(root)
    vault = VaultFiles(root)
    found = list(vault.scan())
    assert sorted(file.path for file in found) == sorted(["a.md", "z/b.md", path])
    named = problems(found)
    assert problem in named.pop(path)
    assert named == {"a.md": "", "z/b.md": ""}
    single = vault.find(path)
    if single is not None:
        assert problem in single.problem


@linux
@pytest.mark.parametrize("make", [make_pipe, make_link_to_nothing, make_link_out, make_large])
def test_reading_what_cannot_be_read_never_waits(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    make(root)
    with pytest.raises(Unreadable):
        VaultFiles(root).read("odd.md")


@linux
def test_a_link_to_a_note_of_the_vault_is_no_second_note(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "sub/b.md")
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / "linked").symlink_to("sub", target_is_directory=True)
    vault = VaultFiles(tmp_path)
    assert problems(vault.scan()) == {"a.md": "", "sub/b.md": ""}
    assert vault.find("link.md") is None
    assert vault.find("linked/b.md") is None
    assert list(vault.below("linked")) == []


@linux
def test_a_link_that_hides_a_folder_is_named_by_whoever_looks_at_it(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    write(root, "a.md", "sub/b.md", ".notekinignore")
    (root / ".notekinignore").write_text("no*\n")
    (root / "sub/loop").symlink_to("..", target_is_directory=True)
    (root / "out").symlink_to(tmp_path, target_is_directory=True)
    (root / "no-out").symlink_to(tmp_path, target_is_directory=True)
    (root / "dangling").symlink_to("nowhere")
    vault = VaultFiles(root)
    scanned = problems(vault.scan())
    assert {path for path, problem in scanned.items() if problem} == {"out", "sub/loop"}
    for path in ("out", "sub/loop", "no-out", "dangling", "out/vault", "a.bin"):
        assert problems(vault.below(path)) == {k: v for k, v in scanned.items() if k == path}


@linux
def test_a_vault_reached_through_a_link_is_whole(tmp_path: Path) -> None:
    write(tmp_path, "real/a.md", "real/sub/b.md")
    (tmp_path / "vault").symlink_to("real", target_is_directory=True)
    (tmp_path / "real" / "inner.md").symlink_to(tmp_path / "vault" / "a.md")
    assert problems(VaultFiles(tmp_path / "vault").scan()) == {"a.md": "", "sub/b.md": ""}


def test_a_folder_without_permission_is_named(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "shut/b.md", "z/c.md")

    def list_folder(folder: Path) -> Entries:
        if folder.name == "shut":
            raise PermissionError(13, "Permission denied")
        return os.scandir(folder)

    found = problems(VaultFiles(tmp_path, list_folder=list_folder).scan())
    assert found == {
        "a.md": "",
        "shut": "this folder cannot be listed: permission denied",
        "z/c.md": "",
    }


def test_files_and_folders_that_vanish_during_the_scan_are_gone(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md", "sub/c.md")

    def list_folder(folder: Path) -> Entries:
        entries = list(os.scandir(folder))
        if folder == tmp_path:
            (tmp_path / "b.md").unlink()
            (tmp_path / "sub" / "c.md").unlink()
            (tmp_path / "sub").rmdir()
        return entries

    assert problems(VaultFiles(tmp_path, list_folder=list_folder).scan()) == {"a.md": ""}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "it cannot be read: no such file"),
        (b"\x7fELF\x02\x01\x01" + b"\0" * 99, "binary data"),
    ],
)
def test_reading_says_why_it_failed(tmp_path: Path, data: bytes | None, reason: str) -> None:
    if data is not None:
        (tmp_path / "a.md").write_bytes(data)
    with pytest.raises(Unreadable, match=reason):
        VaultFiles(tmp_path).read("a.md")


def test_text_is_read_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("\ufeffä\r\nb\rc\f\u2028d\0".encode())
    assert VaultFiles(tmp_path).read("a.md").text == "ä\r\nb\rc\f\u2028d\0"
