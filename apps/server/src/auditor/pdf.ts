import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import PDFDocument from 'pdfkit';

const require = createRequire(import.meta.url);

/** DejaVu Sans, which covers Latin, Cyrillic, Greek, Hebrew, Arabic, Armenian and Georgian letters. Read once. */
let loaded: { readonly plain: Buffer; readonly bold: Buffer; readonly font: Font } | undefined;
function fonts() {
  if (loaded) return loaded;
  const plain = readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
  const bold = readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'));
  const font = create(plain);
  if (!('hasGlyphForCodePoint' in font)) throw new Error('the font is a collection');
  return (loaded = { plain, bold, font });
}

const RTL = String.raw`[^\s\p{Script=Latin}\d]*[\p{Script=Hebrew}\p{Script=Arabic}][^\s\p{Script=Latin}\d]*`;
const RTL_WORDS = new RegExp(`${RTL}(?: ${RTL})+`, 'gu');

/**
 * The text as the font can show it: a letter that it lacks is written as its Unicode number, `[U+4E2D]`, so that none is
 * lost. The library sets the letters of a word from right to left, but words from left to right, so words of Hebrew and
 * Arabic are turned around.
 */
export function showable(text: string): string {
  const { font } = fonts();
  const letters = [...text].map((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return letter === '\n' || font.hasGlyphForCodePoint(code) ? letter : `[U+${code.toString(16).toUpperCase()}]`;
  });
  return letters.join('').replace(RTL_WORDS, (words) => words.split(' ').reverse().join(' '));
}

export interface Sheet {
  readonly title: string;
  readonly notes: readonly string[];
  /** A heading, and lines of a name and what it says. */
  readonly parts: readonly { readonly title: string; readonly lines: readonly (readonly [string, string])[] }[];
}

const MARGIN = 54;

/** Writes a sheet as a tagged PDF in English, with its headings and page numbers. */
export function writePdf({ title, notes, parts }: Sheet, madeAt: Date): Promise<Buffer> {
  const { plain, bold } = fonts();
  const doc = new PDFDocument({
    size: 'LETTER',
    margin: MARGIN,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    bufferPages: true,
    info: { Title: title, CreationDate: madeAt },
    font: '',
  });
  const chunks: Buffer[] = [];
  const whole = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  doc.registerFont('plain', plain);
  doc.registerFont('bold', bold);
  const root = doc.struct('Document');
  doc.addStructure(root);
  const heading = (tag: 'H1' | 'H2', size: number, text: string) =>
    doc.struct(tag, {}, () => void doc.font('bold').fontSize(size).text(showable(text)).moveDown(0.3));
  root.add(heading('H1', 15, title));
  for (const note of notes)
    root.add(doc.struct('P', {}, () => void doc.font('plain').fontSize(9).text(showable(note)).moveDown(0.3)));
  for (const part of parts) {
    const section = doc.struct('Sect');
    root.add(section);
    section.add(
      doc.struct('H2', {}, () => {
        if (doc.y > doc.page.height - 3 * MARGIN) doc.addPage();
        doc.moveDown(0.6).font('bold').fontSize(10.5).text(showable(part.title)).moveDown(0.2);
      }),
    );
    for (const [name, words] of part.lines)
      section.add(
        doc.struct('P', {}, () => {
          doc.font('bold').fontSize(8.5).text(`${name}: `, { continued: true });
          doc.font('plain').text(showable(words));
        }),
      );
    section.end();
  }
  root.end();
  numberPages(doc, title);
  doc.end();
  return whole;
}

function numberPages(doc: PDFKit.PDFDocument, title: string): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page);
    doc.page.margins.bottom = 0; // the line is in the margin, where text would begin a new page
    doc.markContent('Artifact', { type: 'Pagination' });
    doc.font('plain').fontSize(7.5);
    doc.text(showable(`${title}, page ${page + 1} of ${count}`), MARGIN, doc.page.height - 36, { lineBreak: false });
    doc.endMarkedContent();
  }
}
