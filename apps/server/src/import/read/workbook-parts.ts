import { otherArchive, locked } from './file-kinds.ts';
import { beyond, LIMITS } from './limits.ts';
import { oneText, plain } from './plain-xml.ts';
import { Archive, packStored } from './unpack.ts';
import type { ImportFile, UnreadableFile } from '../import-types.ts';

/** The parts of a workbook that hold cells, in an archive of their own, as the library finds and reads them. */
export interface Parts {
  readonly bytes: Buffer;
  /** Whether the program that wrote the workbook left its formulas to whoever opens it, and stored 0 for each. */
  readonly uncalculated: boolean;
  /** The positions of hidden sheets, and the hidden rows of each sheet, as far as the library does not know them. */
  readonly hidden: readonly number[];
  readonly hiddenRows: readonly ReadonlySet<number>[];
}

/**
 * Unpacks XLSX, XLSB and ODS workbooks, and packs what the library needs: sheets, texts, number formats. Nothing else
 * reaches it (links to other files, pictures, macros, pivot caches), and nothing larger than `LIMITS`.
 */
export function partsOf(file: ImportFile): Parts {
  const archive = Archive.open(file.bytes);
  if (!archive) throw beyond.workbook(file.name);
  try {
    const parts = archive.names.includes('content.xml')
      ? openDocument(archive, file.name)
      : excelParts(archive, file.name);
    if (!parts) throw otherArchive(archive, file.name) ?? beyond.workbook(file.name);
    return parts;
  } catch (error) {
    throw isRefusal(error) ? error : beyond.workbook(file.name);
  }
}

const isRefusal = (error: unknown): error is UnreadableFile =>
  error instanceof Error && error.name === 'UnreadableFile';

function openDocument(archive: Archive, name: string): Parts | null {
  const manifest = archive.part('META-INF/manifest.xml')?.toString('latin1') ?? '';
  if (manifest.includes('encryption-data')) throw locked(name);
  const content = readableTables(archive.part('content.xml') ?? Buffer.alloc(0), name);
  if (!content.includes('spreadsheet')) return null;
  const styles = archive.part('styles.xml');
  const parts = new Map([
    ['META-INF/manifest.xml', Buffer.from(MANIFEST)],
    ['content.xml', content],
    ...(styles ? [['styles.xml', readableTables(styles, name)] as const] : []),
  ]);
  const xml = content.toString('latin1');
  return { bytes: packStored(parts), uncalculated: false, hidden: hiddenTables(xml), hiddenRows: hiddenRows(xml) };
}

/** The positions of sheets whose style hides them. */
function hiddenTables(xml: string): number[] {
  const hiding =
    /<style:style\s[^<>]*style:name="([^"]*)"[^<>]*>\s*<style:table-properties\s[^<>]*table:display="false"/g;
  const styles = new Set([...xml.matchAll(hiding)].map(([, name]) => name));
  const tables = [...xml.matchAll(/<table:table\s([^<>]*)>/g)];
  return tables.flatMap(([, given = ''], at) =>
    styles.has(/table:style-name="([^"]*)"/.exec(given)?.[1]) ? [at] : [],
  );
}

/** The numbers of the hidden rows of each table, from 0. */
const hiddenRows = (xml: string): ReadonlySet<number>[] =>
  xml
    .split('<table:table ')
    .slice(1)
    .map((table) => {
      const hidden = new Set<number>();
      let at = 0;
      for (const [row] of table.matchAll(/<table:table-row\b[^<>]*>/g)) {
        const times = Number(/number-rows-repeated="(\d+)"/.exec(row)?.[1] ?? 1);
        const isHidden = /table:visibility="(?:filter|collapse)"/.test(row);
        // Rows without cells repeat up to the end of the sheet.
        for (let i = 0; isHidden && i < Math.min(times, LIMITS.rows); i++) hidden.add(at + i);
        at += times;
      }
      return hidden;
    });

/**
 * Leaves out formats for some values only, such as negative ones, about which the library would write to the log. Formulas
 * without a value get an end tag, without which the library would leave them out; a formula whose value is an empty text is
 * left out, since the library would see no value.
 */
function readableTables(part: Buffer, file: string): Buffer {
  const xml = oneText(part, file)
    .replace(/<style:map\s[^<>]*>/g, '')
    .replace(
      /<table:table-cell(?=[^<>]*\stable:formula=)(?![^<>]*\soffice:value-type=)([^<>]*)\/>/g,
      '<table:table-cell$1></table:table-cell>',
    )
    .replace(
      /(<table:table-cell[^<>]*?)\stable:formula="[^"]*"([^<>]*(?<!\/)>\s*<text:p\/>\s*<\/table:table-cell>)/g,
      '$1$2',
    );
  checkRepeats(xml, file);
  return Buffer.from(xml, 'latin1');
}

/** Refuses a sheet that repeats its rows, cells or spaces more often than an import accepts: the library writes each out. */
function checkRepeats(xml: string, file: string): void {
  let cells = 0;
  let rows = 1;
  for (const [, kind = '', attributes = ''] of xml.matchAll(
    /<table:(table-row|table-cell|covered-table-cell)\b([^<>]*)>/g,
  )) {
    const times = Number(/-repeated\s*=\s*["'](\d+)/.exec(attributes)?.[1] ?? 1);
    // Only empty cells have no end tag, and those the library does not write out.
    if (kind === 'table-row') rows = times;
    else if (kind !== 'table-cell' || !attributes.endsWith('/')) cells += times * rows;
    if (cells > LIMITS.cells) throw beyond.cells(file);
  }
  if (/<text:s\s[^<>]*c\s*=\s*["']\d{5}/.test(xml)) throw beyond.xml(file);
}

const MANIFEST =
  '<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** What the library needs to be told about a part, by the last word of its relation, in XLSX and in XLSB. */
const CONTENT_TYPES: Readonly<Record<string, readonly [xml: string, bin: string]>> = {
  workbook: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
    'application/vnd.ms-excel.sheet.binary.macroEnabled.main',
  ],
  sharedStrings: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml',
    'application/vnd.ms-excel.sharedStrings',
  ],
  styles: ['application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml', 'application/vnd.ms-excel.styles'],
};

/** Parts of these relations hold cells. All others stay outside. */
const READ: ReadonlySet<string> = new Set(['worksheet', 'sharedStrings', 'styles']);

/**
 * Finds the parts by their relations, as Excel does, and gives them plain names: the library goes by the list of content
 * types, which some programs leave incomplete, and by names that others write differently.
 */
function excelParts(archive: Archive, file: string): Parts | null {
  const [main] = relationsOf(archive, '', file).filter(({ type }) => type === 'officeDocument');
  const path = main?.target ?? (archive.names.includes('xl/workbook.bin') ? 'xl/workbook.bin' : 'xl/workbook.xml');
  const bin = path.endsWith('.bin') ? 1 : 0;
  const workbook = /\.(?:xml|bin)$/.test(path) && !/^(?:word|ppt)\//.test(path) ? archive.part(path) : null;
  if (!workbook) return null;
  const ends = bin ? 'bin' : 'xml';
  const book = bin ? workbook : plain(workbook, file);
  const parts = new Map([[`xl/workbook.${ends}`, book]]);
  const types = [override(`xl/workbook.${ends}`, 'workbook', bin)];
  const relations = relationsOf(archive, path, file);
  // Each part is read once, however many sheets claim it.
  const sheets = bin ? 0 : (book.toString('latin1').match(/<sheet /g) ?? []).length;
  const read = relations.filter(({ type }) => READ.has(type));
  if (sheets > relations.length || new Set(read.map(({ target }) => target)).size < read.length)
    throw new Error('sheets share a part');
  // All parts are unpacked, and so measured, before the first is rewritten.
  const unpacked = relations.map(({ type, target }) => (READ.has(type) ? archive.part(target) : null));
  const told = relations.map(({ id, type }, at) => {
    const name = `xl/part${at}.${ends}`;
    const part = unpacked[at];
    if (part) {
      parts.set(name, bin ? part : plain(part, file));
      types.push(override(name, type, bin));
    }
    return `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="/${name}"/>`;
  });
  parts.set(`xl/_rels/workbook.${ends}.rels`, Buffer.from(`${XML}<Relationships>${told.join('')}</Relationships>`));
  parts.set('[Content_Types].xml', Buffer.from(`${XML}<Types xmlns="${TYPES}">${types.join('')}</Types>`));
  const calculation = /<calcPr [^<>]*>/.exec(bin ? '' : book.toString('latin1'))?.[0] ?? '';
  return {
    bytes: packStored(parts),
    uncalculated: / fullCalcOnLoad="(?:1|true)"/.test(calculation),
    hidden: [],
    hiddenRows: [],
  };
}

const XML = '<?xml version="1.0"?>';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';

function override(name: string, type: string, bin: 0 | 1): string {
  const contentType = CONTENT_TYPES[type]?.[bin];
  return contentType === undefined ? '' : `<Override PartName="/${name}" ContentType="${contentType}"/>`;
}

interface Relation {
  readonly id: string;
  /** The last word of the relation's type, such as `worksheet`. */
  readonly type: string;
  readonly target: string;
}

/** The relations of a part, or of the whole archive (`''`), with the paths of their targets. */
function relationsOf(archive: Archive, of: string, file: string): Relation[] {
  const folder = of.slice(0, of.lastIndexOf('/') + 1);
  const rels = archive.part(`${folder}_rels/${of.slice(folder.length)}.rels`);
  const tags = rels
    ? plain(rels, file)
        .toString('latin1')
        .match(/<Relationship [^<>]*>/g)
    : null;
  return (tags ?? []).map((tag) => {
    const at = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
    const type = /\w*$/.exec(at('Type'))?.[0] ?? '';
    const isRead = READ.has(type) || type === 'officeDocument';
    return { id: at('Id'), type, target: isRead ? resolved(folder, at('Target')) : '' };
  });
}

/** The path of a target, which may begin at the top or at the folder of the part that names it. */
function resolved(folder: string, target: string): string {
  const url = new URL(target.replaceAll('\\', '/'), `http://part/${folder}`);
  return decodeURIComponent(url.pathname).slice(1).toLowerCase();
}
