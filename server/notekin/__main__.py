"""The program `notekin`.

This file is read by whatever Python is there, in a checkout too: its syntax stays old and its
imports late, so that an unfit one is refused with a sentence and not with a traceback.
"""

import sys

OLDEST = (3, 11)
NEWEST = (3, 14)


def refusal(version: "tuple[int, ...]") -> str:
    """Return why this version of Python (a tuple) cannot run Notekin, "" when it can."""
    if OLDEST <= version[:2] <= NEWEST:
        return ""
    found = f"{version[0]}.{version[1]}"
    return f"Notekin needs Python 3.11 to 3.14; this is {found}. Install one of these and use it."


def main() -> None:
    """Run the program on `sys.argv` and exit."""
    sentence = refusal(sys.version_info[:2])
    if sentence:
        sys.stderr.write(sentence + "\n")
        sys.exit(2)
    from notekin import compose

    # An editor waits for the server: the command line's libraries are not loaded for it.
    if sys.argv[1:] in (["lsp"], ["lsp", "--stdio"]):
        sys.exit(compose.serve_lsp())
    from notekin.cli.app import run

    sys.exit(run(sys.argv[1:], compose.make_engine, compose.serve_lsp))


if __name__ == "__main__":
    main()
