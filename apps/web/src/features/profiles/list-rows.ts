import { parseDate, SPECIALIZATIONS } from '@clinic/domain';
import type { CredentialRecord, Need, Tag } from '@clinic/contract';
import { dateInWords } from './form-fields.ts';

/** A profile's short lists (tags, needs) as a form's rows, checked, sent and in words. Pure. */

/** One row as typed, by field; every value is text. */
export type ListRow = Record<string, string>;

/** How a field of a row is entered. */
export interface ListColumn {
  readonly field: string;
  readonly label: string;
  readonly input: 'text' | 'date' | 'choice';
  /** Of a choice: each value with its words; the first is a new row's. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
}

/** A list of rows in a form: its words, its columns, and the column without which a row is not sent. */
export interface ListSpec {
  readonly name: string;
  readonly title: string;
  readonly none: string;
  readonly add: string;
  readonly columns: readonly ListColumn[];
  readonly key: string;
}

const DATE_COLUMNS: readonly ListColumn[] = [
  { field: 'from_date', label: 'From', input: 'date' },
  { field: 'until_date', label: 'Until', input: 'date' },
];

export const TAG_LIST: ListSpec = {
  name: 'tags',
  title: 'Skills',
  none: 'No skills recorded: languages, trainings, payers.',
  add: 'Add a skill',
  columns: [{ field: 'tag', label: 'Skill', input: 'text' }, ...DATE_COLUMNS],
  key: 'tag',
};

export const CREDENTIAL_LIST: ListSpec = {
  name: 'credentials',
  title: 'Credentials',
  none: 'No dates recorded: the specialization holds on every date.',
  add: 'Add a credential',
  columns: [
    {
      field: 'credential',
      label: 'Credential',
      input: 'choice',
      choices: [...SPECIALIZATIONS].map((each) => [each, each] as const),
    },
    { field: 'number', label: 'Number', input: 'text' },
    ...DATE_COLUMNS,
  ],
  key: 'credential',
};

export const NEED_LIST: ListSpec = {
  name: 'needs',
  title: 'Needs',
  none: 'No needs recorded.',
  add: 'Add a need',
  columns: [
    { field: 'tag', label: 'Skill needed', input: 'text' },
    {
      field: 'must',
      label: 'How much',
      input: 'choice',
      choices: [
        ['must', 'Must have'],
        ['better', 'Better with'],
      ],
    },
  ],
  key: 'tag',
};

export const newRow = ({ columns }: ListSpec): ListRow =>
  Object.fromEntries(columns.map(({ field, choices }) => [field, choices?.[0]?.[0] ?? '']));

/** The rows that are sent: those whose key was typed. */
const typedRows = ({ key }: ListSpec, rows: readonly ListRow[]): readonly ListRow[] =>
  rows.filter((row) => row[key]?.trim());

/** What is wrong with a date of a row, or true. */
export function checkRow(row: ListRow | undefined, field: string): true | string {
  const typed = row?.[field] ?? '';
  if (typed === '') return true;
  if (parseDate(typed) === null) return 'Not a date that exists';
  const from = row?.['from_date'] ?? '';
  return field !== 'until_date' || from === '' || from <= typed || 'Must not be before From';
}

type DatesOf = { readonly from_date?: string | null | undefined; readonly until_date?: string | null | undefined };

const dateOrNull = (text: string | undefined): string | null => (text ? text : null);
const datesOf = (row: ListRow) => ({
  from_date: dateOrNull(row['from_date']),
  until_date: dateOrNull(row['until_date']),
});
const dateTexts = (dated: Pick<Tag, 'from_date' | 'until_date'>) => ({
  from_date: dated.from_date ?? '',
  until_date: dated.until_date ?? '',
});

export const tagRows = (tags: readonly Tag[]): ListRow[] => tags.map((tag) => ({ tag: tag.tag, ...dateTexts(tag) }));
export const tagsTyped = (rows: readonly ListRow[]): Tag[] =>
  typedRows(TAG_LIST, rows).map((row) => ({ tag: row['tag'] ?? '', ...datesOf(row) }));

export const credentialRows = (records: readonly CredentialRecord[]): ListRow[] =>
  records.map((record) => ({ credential: record.credential, number: record.number, ...dateTexts(record) }));
export const credentialsTyped = (rows: readonly ListRow[]): CredentialRecord[] =>
  typedRows(CREDENTIAL_LIST, rows).flatMap((row) => {
    const credential = SPECIALIZATIONS.find((each) => each === row['credential']);
    return credential ? [{ credential, number: row['number']?.trim() ?? '', ...datesOf(row) }] : [];
  });

export const needRows = (needs: readonly Need[]): ListRow[] =>
  needs.map(({ tag, must }) => ({ tag, must: must ? 'must' : 'better' }));
export const needsTyped = (rows: readonly ListRow[]): Need[] =>
  typedRows(NEED_LIST, rows).map((row) => ({ tag: row['tag'] ?? '', must: row['must'] === 'must' }));

/** `Spanish`, `CPI (until December 31, 2026)`. */
export const tagWords = ({ tag, ...dated }: Tag): string => withDates(tag, dated);

/** `RBT 22-1234 (until December 31, 2026)`. */
export const credentialWords = ({ credential, number, ...dated }: CredentialRecord): string =>
  withDates(number === '' ? credential : `${credential} ${number}`, dated);

/** A text with the dates on which it holds. */
export const withDates = (text: string, { from_date, until_date }: DatesOf): string => {
  const limits = [from_date && `from ${dateInWords(from_date)}`, until_date && `until ${dateInWords(until_date)}`];
  const words = limits.filter(Boolean).join(' ');
  return words === '' ? text : `${text} (${words})`;
};

/** `Must have Spanish`, `Better with CPI`. */
export const needWords = ({ tag, must }: Need): string => `${must ? 'Must have' : 'Better with'} ${tag}`;
