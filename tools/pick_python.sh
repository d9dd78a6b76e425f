#!/bin/sh
# Prints the first interpreter that Notekin runs on: the one asked for, else the first found.
# A command may exist and still not start (a version manager's shim): each is run, not looked up.
version() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null
}

supported() {
    case "$1" in
        3.11 | 3.12 | 3.13 | 3.14) return 0 ;;
        *) return 1 ;;
    esac
}

refuse() {
    echo "Notekin needs Python 3.11 to 3.14; $1. Install one of these and run, for example: make PYTHON=python3.12 demo" >&2
    exit 2
}

if [ -n "$1" ]; then
    found=$(version "$1")
    supported "$found" && echo "$1" && exit 0
    [ -n "$found" ] && refuse "\`$1\` is $found"
    refuse "\`$1\` does not start"
fi

for name in python3 python3.13 python3.12 python3.14 python3.11 python; do
    found=$(version "$name")
    supported "$found" && echo "$name" && exit 0
    [ -n "$found" ] && seen=${seen:-"\`$name\` is $found"}
done
refuse "${seen:-no Python was found}"
