import { beyond, LIMITS } from './limits.ts';

/**
 * Writes XML in the one way that the library reads: it searches the text of a part, and would lose or misread, without a
 * word, what XML allows besides: other encodings than UTF-8, comments and CDATA inside a text, elements without an end tag,
 * quotation marks and spaces around attributes, characters beyond U+FFFF as numbers, plain text before rich text. Dates as
 * text stay text: they are the wall time that the sheet shows. The parts are handled byte by byte (`latin1`), so letters do
 * not matter.
 */
export function plain(part: Buffer, file: string): Buffer {
  return Buffer.from(withDates(withRuns(withoutRanges(withTags(oneText(part, file))))), 'latin1');
}

/** The XML in UTF-8, byte by byte, with the texts of its elements in one piece. */
export function oneText(part: Buffer, file: string): string {
  const xml = inUtf8(part).toString('latin1');
  for (let at = 0; at >= 0 && at < xml.length;) {
    const next = xml.indexOf('<', at + 1);
    if ((next < 0 ? xml.length : next) - at > LIMITS.xmlText) throw beyond.xml(file);
    at = next;
  }
  return withCharacters(withoutSections(xml));
}

function inUtf8(part: Buffer): Buffer {
  const [, declared = 'utf-8'] =
    /^<\?xml[^>]{0,100}\sencoding\s*=\s*["']([\w.-]+)["']/.exec(part.toString('latin1', 0, 200)) ?? [];
  const label =
    part[0] === 0xff && part[1] === 0xfe ? 'utf-16le' : part[0] === 0xfe && part[1] === 0xff ? 'utf-16be' : declared;
  return /^utf-?8$/i.test(label) ? part : Buffer.from(new TextDecoder(label).decode(part));
}

const SECTIONS = [
  { begins: '<!--', ends: '-->', text: () => '' },
  { begins: '<![CDATA[', ends: ']]>', text: (inside: string) => escaped(inside) },
] as const;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Writes CDATA as ordinary text, and leaves comments out. */
function withoutSections(xml: string): string {
  let from = 0;
  let done = '';
  for (let at = xml.indexOf('<!'); at >= 0; at = xml.indexOf('<!', at)) {
    const section = SECTIONS.find(({ begins }) => xml.startsWith(begins, at));
    if (!section) {
      at += 2;
      continue;
    }
    const end = xml.indexOf(section.ends, at + section.begins.length);
    if (end < 0) throw new Error('a section never ends');
    done += xml.slice(from, at) + section.text(xml.slice(at + section.begins.length, end));
    from = at = end + section.ends.length;
  }
  return from === 0 ? xml : done + xml.slice(from);
}

/** A tag that the library reads as it is. */
const PLAIN = /<(?:\/\w+|(?!(?:si|t|row)\/)\w+(?: [\w:.-]+="[^"<>]*")*\/?|\?[^<>]*)>/y;
const TAG = /<(\/?)(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Elements that the library knows only with an end tag. */
const ENDED: ReadonlySet<string> = new Set(['si', 't', 'row']);

function withTags(xml: string): string {
  const done: string[] = [];
  let from = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at + 1)) {
    PLAIN.lastIndex = TAG.lastIndex = at;
    if (PLAIN.test(xml)) continue;
    const tag = TAG.exec(xml);
    if (!tag) continue;
    done.push(xml.slice(from, at), plainTag(tag));
    from = TAG.lastIndex;
  }
  return from === 0 ? xml : done.join('') + xml.slice(from);
}

function plainTag([, ends = '', prefix = '', name = '', attributes = '', empty = '']: RegExpExecArray): string {
  if (ends !== '') return `</${name}>`;
  const given = attributes.replace(ATTRIBUTE, attribute).replace(` xmlns:${prefix}=`, ' xmlns=');
  return empty === '' ? `<${name}${given}>` : ENDED.has(name) ? `<${name}${given}></${name}>` : `<${name}${given}/>`;
}

const attribute = (_: string, name: string, quoted?: string, single: string = ''): string =>
  ` ${name}="${(quoted ?? single).replaceAll('"', '&quot;').replaceAll('>', '&gt;')}"`;

const withCharacters = (xml: string): string =>
  xml.replace(/&#(?:x([0-9a-f]{5,6})|(\d{5,7}));/gi, (as: string, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0xff_ff && code <= 0x10_ff_ff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : as;
  });

/** Makes plain text before rich text a part of the rich text. */
const withRuns = (xml: string): string => xml.replace(/<t(?: [^<>]*)?>([^<]*)<\/t>(?=\s*<r>)/g, '<r><t>$1</t></r>');

const DATE_CELL = /(<c(?: [^<>]*)? t=")d("[^<>]*>(?:<f>0<\/f>)?<v[^<>]*>)([^<]*?)Z?(?=<)/g;

/** Links, and formulas for several cells, would be written to each cell of their ranges; that there is a formula is enough. */
const withoutRanges = (xml: string): string =>
  xml.replace(/<hyperlink [^<>]*>/g, '').replace(/<f(?: [^<>]*)?(?:\/>|>[^<]*<\/f>)/g, '<f>0</f>');

const withDates = (xml: string): string => (xml.includes(' t="d"') ? xml.replace(DATE_CELL, '$1str$2$3') : xml);
