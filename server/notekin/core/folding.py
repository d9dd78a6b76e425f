"""One spelling for what people write in many ways: width, case, accents, digits.

Kana keep their voicing marks (バ is not ハ), Indic and Thai vowel signs stay, and so does the
breve of й, because those marks tell letters apart where accents only colour them.
"""

import unicodedata

import regex

# Combining marks of European scripts, of Arabic and Hebrew vocalisation, variation selectors
# and keycaps, the Arabic tatweel, and what joins or hyphenates without being seen.
_COLOUR = regex.compile(
    r"[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED"
    r"\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE00-\uFE0F\U000E0100-\U000E01EF"
    r"\u0640\u00AD\u200B-\u200D\u2060\uFEFF]"
)
_NOT_WORD = regex.compile(r"[^\p{L}\p{M}\p{N}]+")
_DIGIT = regex.compile(r"\p{Nd}")

# Latin letters that no normal form takes apart.
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "đ": "d",
        "ħ": "h",
        "ł": "l",
        "\u0131": "i",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        "ð": "d",
    }
)


def fold(word: str) -> str:
    """Return `word` in its one spelling: letters, marks and digits only, lower case."""
    if word.isascii():
        return word.lower() if word.isalnum() else _NOT_WORD.sub("", word).lower()
    wide = unicodedata.normalize("NFKC", word).casefold()
    marked = "".join(map(_taken_apart, wide))
    bare = _NOT_WORD.sub("", _COLOUR.sub("", marked))
    plain = unicodedata.normalize("NFKC", bare).casefold()
    return _DIGIT.sub(_ascii_digit, plain.translate(_LETTERS))


def fold_phrase(text: str) -> str:
    """Return `text` folded word by word and joined by single spaces; for comparing titles.

    Punctuation inside stays a border: `3.1.` and `31` differ, `3.1.` and `3.1` do not.
    """
    return " ".join(filter(None, map(fold, _NOT_WORD.split(text))))


def _taken_apart(character: str) -> str:
    return character if character in "\u0439\u045e" else unicodedata.normalize("NFKD", character)


def _ascii_digit(match: regex.Match[str]) -> str:
    # `regex` may know digits of a newer Unicode than Python does; those stay as they are.
    return str(unicodedata.decimal(match.group(), match.group()))
