"""Small PDFs for tests, good ones and bad ones."""

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pymupdf as _pymupdf

pymupdf: Any = _pymupdf  # its types are partial

WORDS = "The owl counts seven lighthouses along the northern shore."


def pages(texts: Iterable[str]) -> Any:
    """Return an open document with a paragraph a page."""
    document = pymupdf.open()
    for text in texts:
        box = pymupdf.Rect(72, 72, 520, 760)
        document.new_page().insert_textbox(box, text, fontsize=11)
    return document


def written(document: Any, **options: Any) -> bytes:
    """Return a document as the bytes of a file, and close it."""
    made: bytes = document.tobytes(**options)
    document.close()
    return made


def plain() -> bytes:
    """One page with one sentence."""
    return written(pages([WORDS]))


def encrypted() -> bytes:
    """The same, behind the password `owl`."""
    return written(
        pages([WORDS]),
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw="owl",
        owner_pw="master",
    )


def scanned() -> bytes:
    """A page that is a picture."""
    return written(_with_picture(pymupdf.open().new_page()).parent)


def partly_scanned() -> bytes:
    """A page of text and a page that is a picture."""
    document = pages([WORDS])
    _with_picture(document.new_page())
    return written(document)


def only_signs() -> bytes:
    """A page of signs that are no letters, as a broken font may give."""
    return written(pages(["\u2022 \u2022 \u2022 = + \u2022"]))


def stamped() -> bytes:
    """A page that is a picture, with the number of an archive below it."""
    page = pymupdf.open().new_page()
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 60))
    picture.clear_with(90)
    page.insert_image(page.rect, pixmap=picture, keep_proportion=False)
    page.insert_text((72, page.rect.height - 30), WORDS)
    return written(page.parent)


def outlined() -> bytes:
    """A page whose letters are drawn as shapes."""
    page = pymupdf.open().new_page()
    for number in range(40):
        left, top = 72 + 10 * number, 100
        page.draw_curve((left, top), (left + 9, top), (left + 9, top + 9))
        page.draw_line((left, top), (left, top + 9))
    return written(page.parent)


def ruled() -> bytes:
    """A sentence, and a page with nothing on it but rules and a frame."""
    document = pages([WORDS])
    page = document.new_page()
    page.draw_rect(pymupdf.Rect(36, 36, 576, 756))
    for top in range(72, 720, 24):
        page.draw_line((72, top), (540, top))
    return written(document)


def nameless() -> bytes:
    """A sentence, and a page whose font names no characters."""
    return _sentence_and(
        _stream(b"BT /G 11 Tf 72 700 Td (abba abba abba) Tj ET"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 9 0 R >>",
        _stream(b"2 beginbfchar <61> <fffd> <62> <fffd> endbfchar"),
        fonts=b"/F 7 0 R /G 8 0 R",
    )


def table_loop() -> bytes:
    """A file to which a table of objects was added that leads to itself, and names none."""
    whole = plain()
    return (
        whole
        + b"xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Root 1 0 R /Prev %d >>\n"
        % (len(whole))
        + b"startxref\n%d\n%%%%EOF\n" % len(whole)
    )


def blank() -> bytes:
    """Two pages with nothing on them."""
    return written(pages(["", ""]))


def huge() -> bytes:
    """A page of 200 by 200 inches."""
    document = pymupdf.open()
    document.new_page(width=14_400, height=14_400).insert_text((7000, 7000), WORDS, fontsize=200)
    return written(document)


def no_pages() -> bytes:
    """A file whose page tree is empty."""
    return raw_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"])


def lost_pages() -> bytes:
    """A file with a page that its page tree no longer names."""
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [] /Count 0 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>",
        ]
    )


def lost_content() -> bytes:
    """A page whose content is missing from the file."""
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 9 0 R >>",
        ]
    )


def grumbling() -> bytes:
    """A sentence in a content stream of which the parser says the same again and again."""
    content = f"Q Q Q BT /F 11 Tf 72 700 Td ({WORDS}) Tj ET Q Q Q".encode()
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            (
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
                b" /Resources << /Font << /F 5 0 R >> >> >>"
            ),
            _stream(content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
    )


def truncated() -> bytes:
    """A file of which the end is missing: no table of objects."""
    whole = plain()
    return whole[: whole.rindex(b"xref")]


def without_content() -> bytes:
    """A file that says it is a PDF, and holds noise."""
    return b"%PDF-1.7\n" + bytes(range(256)) * 40


def page_loop() -> bytes:
    """A page tree that goes round in circles."""
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 9 >>",
            b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 9 >>",
        ]
    )


def picture_file() -> bytes:
    """A PNG."""
    made: bytes = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 9, 9)).tobytes("png")
    return made


def script_and_attachment() -> bytes:
    """A sentence, a script that runs when the file is opened, and a file inside."""
    document = pages([WORDS])
    document.embfile_add("secret.txt", b"the attachment says cormorant")
    script = document.get_new_xref()
    document.update_object(script, "<< /S /JavaScript /JS (app.alert\\('puffin'\\)) >>")
    document.xref_set_key(document.pdf_catalog(), "OpenAction", f"{script} 0 R")
    return written(document)


def bomb() -> bytes:
    """A sentence, and a page of 20 million letters that is some kilobytes in the file."""
    letters = b"BT /F 9 Tf 72 700 Td " + b"(boom)Tj .001 .001 Td " * 5_000_000 + b"ET"
    return _sentence_and(_stream(zlib.compress(letters, 1), b"/Filter /FlateDecode "))


def vertical(text: str) -> bytes:
    """Japanese from top to bottom, columns from right to left; a line of `text` a column."""
    columns = text.splitlines()
    drawn = "\n".join(
        f"BT /F 12 Tf {500 - 24 * number} 720 Td <{column.encode('utf-16-be').hex()}> Tj ET"
        for number, column in enumerate(columns)
    ).encode()
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            (
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
                b" /Resources << /Font << /F 5 0 R >> >> >>"
            ),
            _stream(drawn),
            (
                b"<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3-UniJIS-UTF16-V"
                b" /Encoding /UniJIS-UTF16-V /DescendantFonts [6 0 R] >>"
            ),
            (
                b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo"
                b" << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>"
                b" /FontDescriptor 7 0 R >>"
            ),
            (
                b"<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 6"
                b" /Ascent 857 /Descent -143"
                b" /CapHeight 718 /ItalicAngle 0 /StemV 90 /FontBBox [-123 -257 1001 910] >>"
            ),
        ]
    )


def raw_pdf(objects: Sequence[bytes]) -> bytes:
    """Return a file of objects, numbered from 1; the first is its catalog."""
    made = b"%PDF-1.7\n"
    offsets: list[int] = []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    n = len(objects) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (n, len(made))
    return made + b"xref\n0 %d\n0000000000 65535 f \n%s" % (n, table) + end


def _sentence_and(content: bytes, *further: bytes, fonts: bytes = b"/F 7 0 R") -> bytes:
    """Two pages: a sentence in Helvetica, which is /F, and this content."""
    leaf = (
        b"/Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << %s >> >>" % fonts
    )
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
            b"<< %s /Contents 5 0 R >>" % leaf,
            b"<< %s /Contents 6 0 R >>" % leaf,
            _stream(f"BT /F 11 Tf 72 700 Td ({WORDS}) Tj ET".encode()),
            content,
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            *further,
        ]
    )


def _stream(data: bytes, how: bytes = b"") -> bytes:
    return b"<< %s/Length %d >>\nstream\n%s\nendstream" % (how, len(data), data)


def _with_picture(page: Any) -> Any:
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 60))
    picture.clear_with(90)
    page.insert_image(pymupdf.Rect(72, 72, 400, 400), pixmap=picture)
    return page


MakePdf = Callable[[], bytes]
