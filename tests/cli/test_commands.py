"""The commands on a small engine: what they print, where, and their exit status."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from notekin.app.errors import BadSetting, IndexUnusable, NotekinError
from notekin.app.ports import Finding
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import ChunkCounts, Failure, NoteCounts, SearchResult, VaultStatus
from notekin.cli import passwords
from notekin.cli.app import run
from notekin.cli.signals import Terminated
from support.fake_engine import FakeEngine, hit, idle

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    vault = tmp_path / "vault"
    (vault / "sub").mkdir(parents=True)
    (vault / "coffee.md").write_text("# Coffee\n\nGrind it fine.\n", "utf-8")
    (vault / "odd:3").write_text("odd", "utf-8")
    monkeypatch.chdir(vault)
    return vault.resolve()


@pytest.fixture
def engine(vault: Path) -> FakeEngine:
    return FakeEngine(vault)


@pytest.fixture
def notekin(engine: FakeEngine, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        status = run(arguments, engine, lambda: 7)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def request(engine: FakeEngine) -> Any:
    (asked,) = engine.requests
    return asked


def test_search_prints_places_and_passages(notekin: Run) -> None:
    status, out, err = notekin("search", "grind")
    assert (status, err) == (0, "")
    assert out == "coffee.md:12: Coffee \u203a Grinder  0.83\n    Grind it fine.\n"


def test_search_prints_one_json_object_with_the_names_of_the_wire(
    notekin: Run, vault: Path
) -> None:
    status, out, _ = notekin("search", "grind", "--json")
    answer = json.loads(out)
    assert (status, out.count("\n")) == (0, 1)
    assert (answer["verdict"], answer["hits"][0]["chunkId"]) == ("found", "coffee.md#0")
    assert answer["status"][0]["folder"] == vault.as_uri()


def test_search_takes_all_its_options(notekin: Run, engine: FakeEngine, vault: Path) -> None:
    options = "--mode lexical -n 3 --folder sub --kind markdown --kind text --tag #a --tag b/c"
    assert notekin("search", "a question", str(vault), *options.split())[0] == 0
    assert request(engine) == SearchRequest(
        "a question", 3, "lexical", (vault / "sub",), ("markdown", "text"), ("a", "b/c")
    )


def test_a_folder_inside_a_vault_narrows_the_search(
    notekin: Run, engine: FakeEngine, vault: Path
) -> None:
    notekin("search", "x", "sub")
    assert request(engine).folders == (vault / "sub",)


def test_the_vault_is_found_from_below(
    notekin: Run, engine: FakeEngine, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(vault / "sub")
    assert notekin("search", "x")[0] == 0
    assert request(engine).folders == ()


@pytest.mark.parametrize(("mode", "waits"), [("lexical", ["words"]), ("hybrid", ["words", "idle"])])
def test_search_looks_at_the_files_first(
    notekin: Run, engine: FakeEngine, mode: str, waits: list[str]
) -> None:
    notekin("search", "x", "--mode", mode)
    assert engine.waits == waits
    assert engine.n_closed == 1


@pytest.mark.parametrize("following", [False, True])
def test_search_waits_for_another_process_only_a_while(
    notekin: Run,
    engine: FakeEngine,
    following: bool,  # noqa: FBT001
) -> None:
    chunks = ChunkCounts(n_total=5, n_embedded=3, n_pending=2)
    engine.status_now = evolve(engine.status_now, chunks=chunks, following=following)
    engine.result = SearchResult("incomplete", (), (engine.status_now,))
    engine.unready = 100
    _, _, err = notekin("search", "x", "--mode", "lexical")
    assert (len(engine.waits) < 100) is following
    assert ("Another process is at it." in err) is following


@pytest.mark.parametrize(("command", "watched"), [("index", [True]), ("search", [False])])
def test_only_what_may_take_long_watches_the_files(
    notekin: Run, engine: FakeEngine, vault: Path, command: str, watched: list[bool]
) -> None:
    notekin(command, str(vault) if command == "index" else "x")
    assert engine.watched == watched


def test_any_limit_is_served(notekin: Run, engine: FakeEngine) -> None:
    assert notekin("search", "coffee", "--limit", "9" * 30)[0] == 0
    assert request(engine).limit <= 2**31


def test_nothing_found_is_status_1(notekin: Run, engine: FakeEngine, vault: Path) -> None:
    engine.result = SearchResult("notFound", (), (idle(vault),))
    assert notekin("search", "x") == (1, "", "notekin: Nothing found.\n")
    engine.result = SearchResult("notFound", (evolve(hit(vault), weak=True),), (idle(vault),))
    status, out, err = notekin("search", "x")
    assert (status, err) == (1, "notekin: Nothing found; these are the nearest.\n")
    assert "  weak\n" in out


def test_a_vault_without_notes_is_one_sentence(
    notekin: Run, engine: FakeEngine, vault: Path
) -> None:
    engine.status_now = VaultStatus(vault, phase="idle")
    engine.result = SearchResult("notFound", (), (engine.status_now,))
    status, _, err = notekin("index", ".")
    assert (status, err.startswith(f"notekin: There are no notes in {vault}: ")) == (0, True)
    assert err.count("\n") == 1
    status, _, err = notekin("search", "x")
    assert (status, err.startswith("notekin: Nothing found. There are no notes in ")) == (1, True)


def test_weak_hits_are_shown_only_where_there_is_nothing_better(
    notekin: Run, engine: FakeEngine, vault: Path
) -> None:
    good, weak = hit(vault), evolve(hit(vault), weak=True)
    engine.result = SearchResult("found", (good, weak, weak), (idle(vault),))
    status, out, _ = notekin("search", "x")
    assert (status, out.count("coffee.md:"), "  weak" in out) == (0, 1, False)
    assert len(json.loads(notekin("search", "x", "--json")[1])["hits"]) == 3


def test_an_incomplete_answer_says_what_is_missing(
    notekin: Run, engine: FakeEngine, vault: Path
) -> None:
    chunks = ChunkCounts(n_total=9, n_embedded=4, n_pending=5)
    state = evolve(idle(vault), phase="embedding", chunks=chunks)
    engine.result = SearchResult("incomplete", (hit(vault),), (state,))
    status, out, err = notekin("search", "x")
    assert (status, bool(out)) == (0, True)
    assert "4 of 9 passages" in err
    assert "`notekin index .`" in err


def test_a_model_that_is_missing_is_told_with_the_way_to_learn_why(
    notekin: Run, engine: FakeEngine, vault: Path
) -> None:
    state = evolve(idle(vault), reason="modelMissing")
    engine.result = SearchResult("incomplete", (hit(vault),), (state,))
    assert "`notekin doctor .` says why." in notekin("search", "x")[2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["search", " "], "nothing to search for"),
        (["search", "x", "--limit", "0"], "--limit must be 1 or more"),
        (["search", "x", "y"], 'stands in quotes: notekin search "x y"'),
        (["search", "x", "sub", "more", "words"], "Too many words, from 'more words' on"),
        (["search", "x", "sub/missing"], "missing: check its name.\n"),
        (["search", "x", "coffee.md"], "is a file: name the folder"),
        (["search", "x", "--folder", "missing"], "There is no folder missing"),
        (["search", "x", "--folder", ".."], "There is no folder .."),
        (["search", "x", ".."], "was never indexed: run `notekin index"),
        (["search", "x", "--mode", "psychic"], "psychic"),
        (["search"], "QUERY"),
        (["search", "x", "--colour"], "--colour"),
        (["frobnicate"], "frobnicate"),
        (["related", "missing.md"], "There is no note missing.md"),
        (["related", "sub"], "is a folder"),
        (["related", "coffee.md:99"], "has 4 lines and no line 99"),
        (["related", "coffee.md:0"], "no line 0"),
        (["index", "missing"], "There is no folder"),
        (["status", ".."], "was never indexed"),
        (["doctor", ".."], "was never indexed"),
        (["forget", "..", "--yes"], "has no index"),
        (["forget", "."], "Add --yes"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_status_2(
    notekin: Run, arguments: list[str], words: str
) -> None:
    status, out, err = notekin(*arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.startswith("notekin: ")
    assert "Traceback" not in err


def test_related_reads_file_and_line(notekin: Run, engine: FakeEngine, vault: Path) -> None:
    assert notekin("related", "coffee.md:3", "-n", "2", "--include-self")[0] == 0
    assert request(engine) == RelatedRequest(vault / "coffee.md", 10, 2, include_self=True)


@pytest.mark.parametrize("name", ["coffee.md", "odd:3"])
def test_related_takes_a_whole_note(
    notekin: Run, engine: FakeEngine, vault: Path, name: str
) -> None:
    notekin("related", name)
    assert request(engine) == RelatedRequest(vault / name)


def test_index_tells_what_it_did(notekin: Run, engine: FakeEngine, vault: Path) -> None:
    failure = Failure(vault / "bad.md", "it is binary")
    engine.status_now = evolve(idle(vault), failures=(failure,))
    status, out, err = notekin("index", ".", "--force")
    assert (status, engine.forced, engine.n_closed) == (0, [vault], 1)
    assert "2 notes, 5 passages, 5 findable by meaning" in out
    assert err == "notekin: bad.md is left out: it is binary\n"
    assert json.loads(notekin("index", ".", "--json")[1])["status"][0]["phase"] == "idle"


@pytest.fixture
def locked(engine: FakeEngine, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a PDF need a password, and a person sit at the terminal."""
    failure = Failure(vault / "locked.pdf", "it is locked", locked=True)
    engine.status_now = evolve(idle(vault), failures=(failure,))
    monkeypatch.setattr(passwords, "_is_a_person_there", lambda: True)


def test_index_inside_a_vault_says_that_it_makes_another(notekin: Run, vault: Path) -> None:
    assert "indexed already" not in notekin("index", ".")[2]
    status, _, err = notekin("index", "sub")
    assert status == 0
    assert f"{vault} holds this folder and is indexed already" in err
    assert f'notekin forget "{vault / "sub"}"' in err


@pytest.mark.parametrize(
    ("password", "told"),
    [
        ("owl", []),
        ("cat", ["That password opens none of them.", "locked.pdf is left out: it is locked"]),
        ("", ["locked.pdf is left out: it is locked"]),
    ],
)
@pytest.mark.usefixtures("locked")
def test_index_asks_once_for_a_password(
    notekin: Run, monkeypatch: pytest.MonkeyPatch, password: str, told: list[str]
) -> None:
    def answer(_question: str) -> str:
        return password

    monkeypatch.setattr(passwords, "getpass", answer)
    status, out, err = notekin("index", ".")
    assert status == 0
    needed = "A password is needed for locked.pdf."
    assert err.splitlines() == [f"notekin: {line}" for line in [needed, *told]]
    assert "owl" not in out + err


@pytest.mark.usefixtures("locked")
def test_nobody_is_asked_for_a_password_where_nobody_sits(
    notekin: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "is needed" not in notekin("index", ".", "--json")[2]
    monkeypatch.undo()
    assert "is needed" not in notekin("index", ".")[2]


def test_a_failed_index_is_an_error(notekin: Run, engine: FakeEngine, vault: Path) -> None:
    engine.status_now = evolve(idle(vault), phase="failed", reason="noSpace")
    status, _, err = notekin("index", ".")
    assert (status, "(noSpace)" in err) == (2, True)


def test_progress_is_a_few_lines_where_there_is_no_terminal(
    notekin: Run, engine: FakeEngine, vault: Path
) -> None:
    notes = NoteCounts(n_total=40, n_pending=20, n_indexed=20)
    engine.status_now = evolve(idle(vault), phase="indexing", notes=notes)
    engine.unready = 4
    _, out, err = notekin("index", ".")
    assert err.splitlines()[0] == "Reading notes: 20 of 40"
    assert err.count("Reading notes") == 1
    assert "Reading notes" not in out


def test_status_is_told_and_nothing_is_opened(notekin: Run, engine: FakeEngine) -> None:
    status, out, _ = notekin("status")
    assert (status, engine.n_closed) == (0, 0)
    assert "5 of 5 findable by meaning" in out
    assert "2 indexed, 0 failed\n" in out  # what the files hold beyond the index is not known
    assert json.loads(notekin("status", "--json")[1])["status"][0]["notes"]["indexed"] == 2


def test_doctor_on_a_healthy_index(notekin: Run, vault: Path) -> None:
    assert notekin("doctor") == (0, f"The index of {vault} is healthy.\n", "")
    assert json.loads(notekin("doctor", "--json")[1]) == {"healthy": True, "findings": []}


def test_doctor_finds_and_repairs(notekin: Run, engine: FakeEngine) -> None:
    engine.findings = [Finding("3 vectors belong to no passage.")]
    status, out, err = notekin("doctor")
    assert (status, out) == (2, "3 vectors belong to no passage.\n")
    assert "--repair" in err
    assert notekin("doctor", "--repair") == (0, "repaired: 3 vectors belong to no passage.\n", "")
    report = json.loads(notekin("doctor", "--json")[1])
    assert report["findings"] == [
        {"sentence": "3 vectors belong to no passage.", "repaired": False}
    ]


def test_doctor_offers_no_repair_where_none_helps(notekin: Run, engine: FakeEngine) -> None:
    engine.findings = [Finding("There is no model x: name another.", mendable=False)]
    assert notekin("doctor") == (2, "There is no model x: name another.\n", "")


def test_forget_removes_once(notekin: Run) -> None:
    assert notekin("forget", ".", "--yes")[0] == 0
    assert notekin("forget", ".", "--yes")[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["status", "--index", "my.db"],
        ["--index", "my.db", "status", "."],
        ["--index=my.db", "status", "--json"],
    ],
)
def test_the_index_file_can_be_named(
    notekin: Run, engine: FakeEngine, arguments: list[str]
) -> None:
    assert notekin(*arguments)[0] == 0
    assert engine.index_file == Path("my.db")


def test_notices_go_to_stderr(notekin: Run, engine: FakeEngine) -> None:
    engine.told = ["The index was damaged and is built anew."]
    assert notekin("search", "x")[2] == "notekin: The index was damaged and is built anew.\n"


@pytest.mark.parametrize(
    "error", [BadSetting("One.\nTwo."), IndexUnusable("Full."), NotekinError("Else.")]
)
def test_errors_are_sentences(notekin: Run, engine: FakeEngine, error: Exception) -> None:
    engine.result = error
    lines = [f"notekin: {line}\n" for line in str(error).splitlines()]
    assert notekin("search", "x") == (2, "", "".join(lines))
    assert engine.n_closed == 1


def test_the_unexpected_is_a_sentence_too(
    notekin: Run, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.result = ZeroDivisionError("boom\nbang")
    status, out, err = notekin("search", "x")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "(ZeroDivisionError: boom)" in err
    assert "NOTEKIN_DEBUG=1" in err
    monkeypatch.setenv("NOTEKIN_DEBUG", "1")
    assert "Traceback" in notekin("search", "x")[2]


def test_an_interrupt_is_quiet(
    notekin: Run, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("notekin.cli.commands.refresh", interrupted)
    assert notekin("search", "x") == (130, "", "")
    assert engine.n_closed == 1


@pytest.mark.parametrize("arguments", [["lsp"], ["lsp", "--stdio"]])
def test_lsp_is_served(notekin: Run, arguments: list[str]) -> None:
    assert notekin(*arguments)[0] == 7


def test_help_and_version(notekin: Run) -> None:
    from notekin import __version__

    assert notekin("--version") == (0, f"notekin {__version__}\n", "")
    status, out, _ = notekin("--help")
    assert status == 0
    assert all(
        name in out for name in ["index", "search", "related", "status", "doctor", "forget", "lsp"]
    )
    assert notekin()[0] == 0


def test_index_ends_a_pause_and_says_so(notekin: Run, engine: FakeEngine, vault: Path) -> None:
    engine.status_now = evolve(idle(vault), phase="paused", reason="user")
    status, _, err = notekin("index", ".")
    assert (status, engine.n_resumed) == (0, 1)
    assert "Indexing was paused; it goes on because you asked for it" in err
    _, out, err = notekin("doctor")
    assert "healthy" in out
    assert "paused" in err
    assert "paused (user)" in notekin("status")[1]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"phase": "scanning"}, "before all files were compared"),
        (
            {"phase": "indexing", "notes": NoteCounts(n_total=9, n_pending=4)},
            "4 of 9 notes are not yet read and 0 of 5 passages",
        ),
        ({"phase": "embedding", "chunks": ChunkCounts(1500, 400, 1100)}, "1,100 of 1,500 passages"),
        ({"phase": "idle"}, "the index is complete"),
    ],
    ids=["scanning", "indexing", "embedding", "idle"],
)
@pytest.mark.parametrize(("ends", "status"), [(KeyboardInterrupt, 130), (Terminated, 143)])
def test_an_interrupted_index_says_what_is_left(  # noqa: PLR0913 - a table of cases
    *,
    notekin: Run,
    engine: FakeEngine,
    vault: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: dict[str, Any],
    words: str,
    ends: type[BaseException],
    status: int,
) -> None:
    def interrupted(*_: object) -> None:
        raise ends

    monkeypatch.setattr("notekin.cli.commands.wait", interrupted)
    engine.status_now = evolve(idle(vault), **given)
    ended, out, err = notekin("index", ".")
    assert (ended, out) == (status, "")
    assert words in err
    assert engine.n_closed
