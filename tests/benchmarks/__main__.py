"""`make bench`: the floors on a real vault, or with ARGS="NAME …" another benchmark by its name.

make bench                            outside, vault and browser on til-jbranchaud, 1,873 notes
make bench ARGS="vault FOLDER"        the same on a vault of yours
make bench ARGS="first FOLDER"        the beginning of a first index: words, the loop's stand-still
make bench ARGS="browser FOLDER"      from a key to the rows, in a real VS Code
make bench ARGS="processes FOLDER"    two windows: a save in the other one, a takeover
make bench ARGS="churn 20000 20000"   size and query time after many changes
make bench ARGS="keystrokes"          typing in a note of 1 MB, on the server's loop
make bench ARGS="scan 4282 50000"      vectors in memory beside vec0
make bench ARGS="chunking FOLDER"     passages: answers found, passages embedded again
make bench ARGS="outside FOLDER"      changes made outside the editor, one by one and in a storm
make bench ARGS="day 1000 7"           a simulated day of 1,000 steps, with the seed 7
make bench ARGS="embedding FOLDER"    the model beside bare onnxruntime
make bench ARGS="pdf_server FOLDER"   all PDFs of a folder through the real server
make bench ARGS="ranking …"           the ranking on judged collections
make bench ARGS="pdf FOLDER"          PDFs of others: words, headings, pages, order, speed
"""

import compileall
import runpy
import sys
from pathlib import Path

import notekin
import notekin_protocol
from notekin.adapters.telemetry import send_nothing

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


def main() -> None:
    """Run the benchmark that the command line names, by default those with floors."""
    # pip compiles what it installs; a server run from its sources is to start no slower.
    for package in (notekin, notekin_protocol):
        compileall.compile_dir(package.__path__[0], quiet=1)
    # Some benchmarks load onnxruntime without Notekin, which else keeps it from reporting.
    send_nothing()
    if sys.argv[1:]:
        _run(*sys.argv[1:])
        return
    from support.real_data import real_data

    vault = str(real_data("vaults") / "vaults" / "til-jbranchaud")
    for name in ("outside", "vault", "browser"):
        _run(name, vault)


def _run(name: str, *arguments: str) -> None:
    script = HERE / f"{name}.py"
    if not script.is_file() or script.name == Path(__file__).name:
        sys.exit(f"There is no benchmark {name}.\n\n{__doc__}")
    sys.argv = [str(script), *arguments]
    runpy.run_path(str(script), run_name="__main__")


if __name__ == "__main__":
    main()
