"""The program as a person starts it, with the real engine, model and index."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve, frozen

from notekin.adapters.sqlite.connect import connect_writer

NOTES = {
    "coffee.md": "# Coffee\n\n## Grinder\n\nSet the burr grinder to twelve clicks.\n",
    "garden/tomatoes.md": "---\ntags: [garden]\n---\n\n# Tomatoes\n\nWater them every morning.\n",
    "notes.txt": "The boiler service phone number is on the fridge.\n",
}


@frozen
class Program:
    """Starts `notekin` with an index and settings of its own."""

    vault: Path
    environment: dict[str, str]

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "notekin", *arguments],
            cwd=self.vault,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "notekin", *arguments],
            cwd=self.vault,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )


def program_in(folder: Path) -> Program:
    vault = folder / "vault"
    for name, text in NOTES.items():
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text(text, "utf-8")
    moved = {"NOTEKIN_DATA_DIR": str(folder / "data"), "NOTEKIN_CONFIG_DIR": str(folder)}
    return Program(vault, {**os.environ, **moved, "PYTHONUTF8": "1"})


def files(folder: Path) -> dict[Path, tuple[bytes, int]]:
    """Return what every file below a folder holds, and when it was last written."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A vault that was indexed once; tests only ask."""
    program = program_in(tmp_path_factory.mktemp("indexed"))
    answer = program("index", ".")
    assert (answer.returncode, answer.stderr.count("Traceback")) == (0, 0), answer.stderr
    assert "3 notes" in answer.stdout
    return program


@pytest.fixture
def fresh(tmp_path: Path) -> Program:
    """A vault that was never indexed."""
    return program_in(tmp_path)


def test_by_words(indexed: Program) -> None:
    answer = indexed("search", "grinder clicks")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.startswith("coffee.md:1: Coffee \u203a Grinder  ")


def test_by_meaning(indexed: Program) -> None:
    answer = indexed("search", "--mode", "semantic", "--json", "espresso preparation")
    result = json.loads(answer.stdout)
    assert result["hits"][0]["chunkId"] == "coffee.md#0"
    assert result["status"][0]["phase"] == "idle"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--tag", "garden"], True),
        (["--folder", "garden"], True),
        (["--kind", "text"], False),
        (["--tag", "kitchen"], False),
    ],
)
def test_filters(indexed: Program, options: list[str], found: object) -> None:
    answer = indexed("search", "--mode", "lexical", "tomatoes", *options)
    assert answer.returncode == (0 if found else 1)


def test_nothing_found(indexed: Program) -> None:
    answer = indexed("search", "--mode", "lexical", "xyzzy")
    assert answer.returncode == 1
    assert "Nothing found" in answer.stderr


def test_related(indexed: Program) -> None:
    answer = indexed("related", "coffee.md:5", "--json")
    result = json.loads(answer.stdout)
    assert all(not hit["chunkId"].startswith("coffee.md#") for hit in result["hits"])
    assert answer.returncode == (0 if result["hits"] and result["verdict"] == "found" else 1)


def test_status_and_doctor(indexed: Program) -> None:
    (status,) = json.loads(indexed("status", "--json").stdout)["status"]
    assert (status["notes"]["indexed"], status["chunks"]["pending"]) == (3, 0)
    assert json.loads(indexed("doctor", "--json").stdout) == {"healthy": True, "findings": []}


def test_doctor_compares_the_vectors_with_the_model(indexed: Program, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f"model = '{tmp_path / 'none'}'\n", "utf-8")
    settings = {**indexed.environment, "NOTEKIN_CONFIG_DIR": str(tmp_path)}
    answer = evolve(indexed, environment=settings)("doctor")
    assert (answer.returncode, answer.stderr) == (2, "")
    assert answer.stdout.endswith("does not exist: correct the setting notekin.model.\n")


def test_doctor_finds_words_that_a_passage_does_not_hold(fresh: Program, tmp_path: Path) -> None:
    fresh("index", ".")
    (file,) = (tmp_path / "data" / "indexes").glob("*.sqlite3")
    connection = connect_writer(file)
    connection.run("UPDATE terms SET title = 'a', headings = 'b', text = 'c' WHERE rowid = 1")
    connection.run("UPDATE notes SET title = 'Renamed by hand' WHERE id = 2")
    connection.close()
    sentence = "2 passages are found by other words than their own."
    assert fresh("doctor").stdout == f"{sentence}\n"
    assert fresh("doctor", "--repair").stdout == f"repaired: {sentence}\n"
    assert fresh("search", "--mode", "lexical", "grinder").returncode == 0
    assert "healthy" in fresh("doctor").stdout


def test_a_folder_never_indexed(fresh: Program) -> None:
    answer = fresh("search", "anything")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "was never indexed: run `notekin index" in answer.stderr


def test_the_life_of_an_index(fresh: Program, tmp_path: Path) -> None:
    own = ("--index", str(tmp_path / "own.sqlite3"))
    words = ("--mode", "lexical", *own)
    given = files(fresh.vault)
    assert fresh("index", ".", *own).returncode == 0
    assert files(fresh.vault) == given
    (fresh.vault / "new.md").write_text("A quokka came by.\n", "utf-8")
    (fresh.vault / "notes.txt").unlink()
    given = files(fresh.vault)
    assert fresh("search", "quokka", *words).stdout.startswith("new.md:1: ")
    assert fresh("search", "boiler", *words).returncode == 1
    assert fresh("status").returncode == 2  # in the data folder there is none
    assert fresh("forget", ".", "--yes", *own).returncode == 0
    assert not list(tmp_path.glob("own.*"))
    assert files(fresh.vault) == given  # no command wrote to the vault


def test_forget_leaves_no_copy_of_the_notes(fresh: Program, tmp_path: Path) -> None:
    assert fresh("index", ".").returncode == 0
    (index,) = (tmp_path / "data" / "indexes").glob("*.sqlite3")
    index.write_bytes(index.read_bytes()[:5000])
    assert fresh("index", ".").returncode == 0
    assert index.with_name(f"{index.name}.damaged-1").exists()
    (index.with_suffix(".pdfs") / "00").mkdir(parents=True, exist_ok=True)
    assert fresh("forget", ".", "--yes").returncode == 0
    assert not list(index.parent.iterdir())


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("../config.toml", 'hover = "yes"', '"hover" is "yes"'),
        ("notekin.toml", 'model = "other"', 'may not set "model"'),
        ("notekin.toml", "exclude = [", "no valid TOML"),
    ],
)
def test_a_wrong_setting_is_refused(fresh: Program, name: str, content: str, words: str) -> None:
    (fresh.vault / name).write_text(content, "utf-8")
    answer = fresh("index", ".")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert words in answer.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def _in_a_shell(program: Program, line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S602 - what a shell does with streams is what is asked
        f'"{sys.executable}" -m notekin {line}',
        shell=True,
        cwd=program.vault,
        env=program.environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def _as_in_a_terminal() -> Iterator[None]:
    """A shell starts what runs in the background with SIGINT ignored, and that is inherited."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_as_in_a_terminal")
class TestSignals:
    """What a shell does to programs."""

    def test_a_closed_pipe_is_quiet(self, indexed: Program) -> None:
        running = indexed.start("search", "--json", "water")
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        told = running.stderr.read()
        running.stderr.close()
        assert (running.wait(), told) == (141, "")

    @pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    def test_closed_streams_lead_nowhere(self, indexed: Program, closed: str) -> None:
        ran = _in_a_shell(indexed, f"search water {closed}")
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout == "" or ">&-" not in closed.split()

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
    def test_a_full_disk_behind_stdout_is_a_sentence(self, indexed: Program) -> None:
        ran = _in_a_shell(indexed, "search water >/dev/full")
        assert ran.returncode == 2
        assert ran.stderr.startswith("notekin: The results cannot be written: ")

    @pytest.mark.parametrize(
        ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["INT", "TERM"]
    )
    def test_an_interrupt_leaves_the_index_consistent(
        self, fresh: Program, number: int, status: int
    ) -> None:
        text = "\n\n".join(f"## {n}\n\n" + "word and sentence " * 30 for n in range(150))
        (fresh.vault / "long.md").write_text(text, "utf-8")
        running = fresh.start("index", ".")
        assert running.stderr
        while not running.stderr.readline().startswith("Embedding"):
            assert running.poll() is None
        running.send_signal(number)
        out, err = running.communicate()
        assert (running.returncode, out) == (status, "")
        assert "Traceback" not in err
        assert re.search(r"notekin: Stopped; [\d,]+ of [\d,]+ passages are not yet embedded", err)
        assert json.loads(fresh("doctor", "--json").stdout)["healthy"] is True
