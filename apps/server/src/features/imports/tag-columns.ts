import { datesMeet, nameKey, type IsoDate } from '@clinic/domain';
import type { Need, Tag } from '@clinic/contract';
import { parseDay, parseName, quote, tidy } from './fields.ts';

type Cell = (name: string) => string;

const LONGEST_TAG = 60;
const partsOf = (text: string): string[] => text.split(/[;\n]/).map(tidy).filter(Boolean);

/**
 * The tags of a therapist's row, `Spanish; CPI from 2026-01-01 until 2026-12-31`, and a note for each that cannot be
 * read: it is left out, and the row is imported. Null tags: the column has no value, so stored tags stay.
 */
export function readTags(cell: Cell): { tags: Tag[] | null; notes: string[] } {
  const tags: Tag[] = [];
  const notes: string[] = [];
  for (const part of partsOf(cell('tags'))) {
    const tag = parseTag(part);
    if (tag === null) notes.push(`the tag ${quote(part)} was left out; it must be like CPI until 2026-12-31`);
    else if (!tags.some((other) => nameKey(other.tag) === nameKey(tag.tag) && datesMeet(other, tag))) tags.push(tag);
  }
  return { tags: tags.length > 0 ? tags : null, notes };
}

function parseTag(part: string): Tag | null {
  const m = /^(.+?)(?: from (\S+))?(?: (?:until|to) (\S+))?$/i.exec(part);
  const tag = parseName(m?.[1] ?? '', LONGEST_TAG);
  const [from, until] = [parseLimit(m?.[2]), parseLimit(m?.[3])];
  if (tag === null || from === undefined || until === undefined) return null;
  return from !== null && until !== null && from > until ? null : { tag, from_date: from, until_date: until };
}

/** Undefined: not a date. */
const parseLimit = (text: string | undefined): IsoDate | null | undefined =>
  text === undefined ? null : (parseDay(text) ?? undefined);

/** The needs of a client's row: `needs` must be met, `prefers` is better. As in `readTags`. */
export function readNeeds(cell: Cell): { needs: Need[] | null; notes: string[] } {
  const needs: Need[] = [];
  const notes: string[] = [];
  for (const [column, must] of [['needs', true] as const, ['prefers', false] as const])
    for (const part of partsOf(cell(column))) {
      const tag = parseName(part, LONGEST_TAG);
      if (tag === null)
        notes.push(`the need ${quote(part)} was left out; it must have at most ${LONGEST_TAG} characters`);
      else if (!needs.some((other) => nameKey(other.tag) === nameKey(tag))) needs.push({ tag, must });
    }
  return { needs: needs.length > 0 ? needs : null, notes };
}
