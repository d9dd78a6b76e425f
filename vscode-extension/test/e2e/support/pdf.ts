/** Small PDFs, written as they are needed. */

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../setup/run";

export interface Leaf {
  readonly heading: string;
  readonly paragraphs: readonly (readonly string[])[];
}

const LEFT = 72;
const TOP = 760;

/** The bytes of a PDF of A4 pages; its text is plain English, each line as long as it is given. */
export function pdfOf(leaves: readonly Leaf[]): Buffer {
  const kids = leaves.map((_, n) => `${5 + 2 * n} 0 R`);
  const font = (name: string): string => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${leaves.length} >>`,
    font("Helvetica"),
    font("Helvetica-Bold"),
    ...leaves.flatMap((leaf, n) => {
      const content = contentOf(leaf);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${6 + 2 * n} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  // The second line tells whoever would show it as text that it is none.
  let written = "%PDF-1.4\n%\0\xe2\xe3\xcf\xd3\n";
  const places = objects.map((object, n) => {
    const place = written.length;
    written += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  return Buffer.from(`${written}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${written.length}\n%%EOF\n`, "latin1");
}

const LOCK = "import sys, pymupdf; d = pymupdf.open(sys.argv[1]); d.save(sys.argv[2], encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=sys.argv[3])";

/** The bytes of the same, encrypted with a password; written in that folder by the Python that reads PDFs. */
export async function locked(leaves: readonly Leaf[], password: string, python: string, folder: string): Promise<Buffer> {
  const [open, encrypted] = [path.join(folder, "open.pdf"), path.join(folder, "locked.pdf")];
  await writeFile(open, pdfOf(leaves));
  await run(python, ["-c", LOCK, open, encrypted, password], { timeoutMs: 30_000 });
  return readFile(encrypted);
}

/** A heading, and paragraphs with a blank line between them. */
function contentOf({ heading, paragraphs }: Leaf): string {
  const shown = (line: string): string => `(${line.replace(/[\\()]/g, "\\$&")}) Tj`;
  const texts = paragraphs.map((lines) => lines.map((line) => `${shown(line)} 0 -15 Td`).join("\n"));
  return `BT /F2 18 Tf ${LEFT} ${TOP} Td ${shown(heading)} /F1 11 Tf 0 -32 Td\n${texts.join("\n0 -12 Td\n")}\nET`;
}
