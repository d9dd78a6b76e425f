"""kill -9 at random moments of a first index: the next start goes on, and ends as a fresh one."""

import random
from pathlib import Path

import pytest

from support.stdio import client_of
from support.vault import Scratch, scratch

N_NOTES = 60
N_KILLS = 6


def _write_notes(vault: Scratch) -> None:
    for number in range(N_NOTES):
        sections = "\n\n".join(
            f"## Part {part}\n\n" + f"word{number}x{part} " * 60 for part in "ab"
        )
        vault.write(f"{number % 5}/{number}.md", f"# Note {number}\n\n{sections}", age=number)


@pytest.mark.parametrize("seed", [7])
def test_a_killed_first_index_ends_as_a_fresh_one(tmp_path: Path, seed: int) -> None:
    numbers = random.Random(seed)  # noqa: S311 -- no secret
    with scratch(tmp_path) as vault:
        _write_notes(vault)
        seen: list[int] = []
        for _ in range(N_KILLS):
            with client_of("-m", "support.serve_fake", str(vault.home), "0.01") as client:
                client.initialize(vault.folder)
                # A moment in the life of an index is named by what it has told so far.
                n_more = numbers.randrange(1, 20)
                least = (seen[-1] if seen else 0) + n_more
                status = client.status(
                    lambda status, least=least: (
                        status["chunks"]["embedded"] >= least or status["phase"] == "idle"
                    )
                )
                seen.append(status["chunks"]["embedded"])
                client.kill()
            assert vault.doctor() == []
        assert seen == sorted(seen), "what was embedded before a kill is still embedded after it"
        vault.open()
        interrupted = vault.content()
        vault.close()
        vault.index_file.unlink()
        vault.open()
        assert vault.content() == interrupted
        assert len(interrupted) == N_NOTES


def test_after_40_of_200_a_restart_embeds_160(tmp_path: Path) -> None:
    with scratch(tmp_path) as vault:
        parts = "\n\n".join(
            f"## Part {part}\n\n" + f"Some words on part{part}. " * 30 for part in range(200)
        )
        vault.write("long.md", parts)
        with client_of("-m", "support.serve_fake", str(vault.home), "0", "40") as client:
            client.initialize(vault.folder)
            told = client.status(lambda status: status["chunks"]["embedded"] >= 40)
            client.kill()
        assert told["chunks"] == {"total": 200, "embedded": 40, "pending": 160}
        assert told["phase"] == "embedding"
        vault.open()
        assert vault.status.chunks.n_embedded == 200
        assert len(vault.embedder.documents) == 160
        assert vault.doctor() == []
