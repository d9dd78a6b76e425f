"""Passwords that were given to a process, and tell nobody."""

from notekin.app.keyring import Keyring
from notekin.app.ports import PdfOptions
from notekin_protocol.messages import UnlockParams


def test_what_is_given_takes_the_place_of_what_was_given_before() -> None:
    keys = Keyring()
    own = PdfOptions(passwords=("own",), ocr=True)

    assert keys.take(["owl", "cat"])
    assert keys.added_to(own) == PdfOptions(passwords=("own", "owl", "cat"), ocr=True)
    assert not keys.take(["owl"])
    assert keys.take(["dog"])
    assert not keys.take([])
    assert (keys.is_empty, keys.added_to(own)) == (True, own)


def test_no_password_is_shown_by_what_holds_it() -> None:
    keys = Keyring()
    keys.take(["owl"])

    for each in (keys, UnlockParams(("owl",)), keys.added_to(PdfOptions())):
        assert "owl" not in repr(each)
