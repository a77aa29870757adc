import { datesMeet, nameKey, type Specialization } from '@clinic/domain';
import { LONGEST_TAG, MOST_TAGS, type CredentialRecord, type Need, type Tag } from '@clinic/contract';
import { parseDay, parseLine, parseName, quote, splitDates, tidy } from '../rows/fields.ts';

type Cell = (name: string) => string;

const partsOf = (text: string): string[] => text.split(/[;\n]/).map(tidy).filter(Boolean);

/**
 * Reads the tags in a therapist's row, such as `Spanish; CPI from 2026-01-01 until 2026-12-31`, with a note for each
 * tag that cannot be read. Such a tag is left out, and the row is still imported. `tags` is null when the column is
 * empty; stored tags then stay.
 */
export function readTags(cell: Cell): { tags: Tag[] | null; notes: string[] } {
  const tags: Tag[] = [];
  const notes: string[] = [];
  for (const part of partsOf(cell('tags'))) {
    const tag = parseTag(part);
    if (tag === null) notes.push(`the tag ${quote(part)} was left out; it must be like CPI until 2026-12-31`);
    else if (!tags.some((other) => nameKey(other.tag) === nameKey(tag.tag) && datesMeet(other, tag))) tags.push(tag);
    if (tags.length > MOST_TAGS) return { tags: tags.slice(0, MOST_TAGS), notes: [...notes, tooMany('tags')] };
  }
  return { tags: tags.length > 0 ? tags : null, notes };
}

/** A profile cannot be saved with more, so an import does not store more. */
const tooMany = (what: string): string => `only the first ${MOST_TAGS} ${what} are taken; a profile holds no more`;

function parseTag(part: string): Tag | null {
  const dated = splitDates(part);
  const tag = parseName(dated?.text ?? '', LONGEST_TAG);
  return dated === null || tag === null ? null : { tag, from_date: dated.from_date, until_date: dated.until_date };
}

/**
 * Reads the credential in a therapist's row: the specialization with its number and dates. If a date cannot be read,
 * the row is imported without the credential and gets a note. Null when all of these columns are empty; stored
 * credentials then stay.
 */
export function readCredentials(
  cell: Cell,
  credential: Specialization,
): { credentials: CredentialRecord[] | null; notes: string[] } {
  const [number, from, until] = ['credential_number', 'credential_from', 'credential_until'].map((name) =>
    tidy(cell(name)),
  );
  if (!number && !from && !until) return { credentials: null, notes: [] };
  const [from_date, until_date] = [from, until].map((text) => (text ? (parseDay(text) ?? undefined) : null));
  const left = (why: string) => ({ credentials: null, notes: [`the credential was left out: ${why}`] });
  if (from_date === undefined) return left(`${quote(from ?? '')} is not a date`);
  if (until_date === undefined) return left(`${quote(until ?? '')} is not a date`);
  if (from_date !== null && until_date !== null && from_date > until_date) return left('it ends before it begins');
  return { credentials: [{ credential, number: parseLine(number ?? '', 60), from_date, until_date }], notes: [] };
}

/** Reads the needs in a client's row: `needs` must be met, `prefers` should be. Reads tags as `readTags` does. */
export function readNeeds(cell: Cell): { needs: Need[] | null; notes: string[] } {
  const needs: Need[] = [];
  const notes: string[] = [];
  for (const [column, must] of [['needs', true] as const, ['prefers', false] as const])
    for (const part of partsOf(cell(column))) {
      const tag = parseName(part, LONGEST_TAG);
      if (tag === null)
        notes.push(`the need ${quote(part)} was left out; it must have at most ${LONGEST_TAG} characters`);
      else if (!needs.some((other) => nameKey(other.tag) === nameKey(tag))) needs.push({ tag, must });
      if (needs.length > MOST_TAGS) return { needs: needs.slice(0, MOST_TAGS), notes: [...notes, tooMany('needs')] };
    }
  return { needs: needs.length > 0 ? needs : null, notes };
}
