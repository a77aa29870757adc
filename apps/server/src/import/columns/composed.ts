import { tidyText } from '@clinic/domain';
import type { ImportKind } from '../import-types.ts';
import { withoutTitles } from './titles.ts';

type Cells = Readonly<Record<string, string>>;

const CLIENT_PARTS = ['Client First Name', 'Client Last Name'] as const;
const PROVIDER_PARTS = ['Provider First Name', 'Provider Last Name'] as const;

/** Columns for a person whose value can be given by a first and a last name, with the column for the person's id. */
const JOINED: Readonly<Record<string, { readonly id: string; readonly parts: readonly [string, string] }>> = {
  'Client Name': { id: 'Client Id', parts: CLIENT_PARTS },
  Preferred_Provider_Name: { id: 'Provider Id', parts: PROVIDER_PARTS },
  client: { id: 'client_id', parts: CLIENT_PARTS },
  therapist: { id: 'therapist_id', parts: PROVIDER_PARTS },
};

/** Fills the columns that a file does not have from the columns that take their place. */
export function composed(cells: Cells, kind: ImportKind): Cells {
  const filled: Record<string, string> = { ...cells };
  for (const [name, { id, parts }] of Object.entries(JOINED)) {
    const [first, last] = parts.map((part) => cells[part]);
    if (first === undefined || last === undefined) continue;
    const joined = tidyText(`${first} ${last}`);
    // Without a column for the whole name, the id is read as the name: the two parts say more.
    const isId = cells[name] === cells[id] && joined !== '';
    if (cells[name] === undefined || isId) filled[name] = joined;
  }
  if (cells['name'] === undefined || (cells['first_name'] !== undefined && cells['last_name'] !== undefined))
    return filled;
  // `Ma` is a client's first or last name, never a degree.
  const [first, last] = splitName(kind === 'therapists' ? withoutTitles(cells['name']) : cells['name']);
  return { ...filled, first_name: first, last_name: last };
}

/** Splits `Lee, Ana` at its comma, and other names before their last word. */
function splitName(text: string): readonly [first: string, last: string] {
  const name = tidyText(text);
  const comma = name.indexOf(',');
  if (comma >= 0) return [name.slice(comma + 1).trim(), name.slice(0, comma).trim()];
  const space = name.lastIndexOf(' ');
  return [name.slice(0, Math.max(0, space)), name.slice(space + 1)];
}
