import {
  AUTHORIZATION_PERIODS,
  BILLING_CODES,
  duration,
  parseDate,
  SPECIALIZATIONS,
  UNIT_MINUTES,
} from '@clinic/domain';
import type { Authorization, CredentialRecord, Need, Tag } from '@clinic/contract';
import { PERIOD_WORDS } from '../../shared/period-words.ts';
import { dateInWords } from './form-fields.ts';

/**
 * A profile's short lists (tags, needs, credentials …). Pure functions turn them into the rows of a form, check the
 * rows, build what is sent, and put the entries into words.
 */

/** One row as typed: a string for each field. */
export type ListRow = Record<string, string>;

/** How one field of a row is entered. */
export interface ListColumn {
  readonly field: string;
  readonly label: string;
  readonly input: 'text' | 'number' | 'date' | 'choice';
  /** Whether the field must be filled in, unless the row is empty. */
  readonly required?: true;
  /** The choices of a select: each value with its label. A new row starts with the first choice. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
}

/** A list in a form: its labels and its columns. A row without a value in the column `key` counts as empty. */
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
  none: 'No skills recorded. Skills include languages, trainings and payer enrollments.',
  add: 'Add a skill',
  columns: [{ field: 'tag', label: 'Skill', input: 'text' }, ...DATE_COLUMNS],
  key: 'tag',
};

export const CREDENTIAL_LIST: ListSpec = {
  name: 'credentials',
  title: 'Credentials',
  none: 'Not checked: no dates entered. The specialization counts on every date.',
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
      label: 'Importance',
      input: 'choice',
      choices: [
        ['must', 'Must have'],
        ['better', 'Nice to have'],
      ],
    },
  ],
  key: 'tag',
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const AUTHORIZATION_LIST: ListSpec = {
  name: 'authorizations',
  title: 'Authorizations',
  none: 'Not checked: no authorization entered.',
  add: 'Add an authorization',
  columns: [
    { field: 'payer', label: 'Payer', input: 'text' },
    { field: 'code', label: 'Code', input: 'choice', choices: [...BILLING_CODES].map((code) => [code, code] as const) },
    { field: 'number', label: 'Number', input: 'text' },
    ...DATE_COLUMNS.map((column) => ({ ...column, required: true as const })),
    { field: 'units', label: 'Units of 15 min', input: 'number', required: true },
    {
      field: 'period',
      label: 'Period',
      input: 'choice',
      choices: [...AUTHORIZATION_PERIODS].map((period) => [period, capitalized(PERIOD_WORDS[period])] as const),
    },
    { field: 'prior_units', label: 'Units used', input: 'number' },
    { field: 'prior_until', label: 'Used through', input: 'date' },
  ],
  key: 'payer',
};

export const newRow = ({ columns }: ListSpec): ListRow =>
  Object.fromEntries(columns.map(({ field, choices }) => [field, choices?.[0]?.[0] ?? '']));

/** The rows to send: those whose key column is filled in. */
const typedRows = ({ key }: ListSpec, rows: readonly ListRow[]): readonly ListRow[] =>
  rows.filter((row) => row[key]?.trim());

/** What is wrong with one field of a row, or true if it is valid. */
export function checkRow(
  spec: ListSpec,
  row: ListRow | undefined,
  { field, input, label, required }: ListColumn,
): true | string {
  const typed = row?.[field]?.trim() ?? '';
  if (field === 'prior_until' && (typed === '') !== ((row?.['prior_units']?.trim() ?? '') === ''))
    return 'Fill in both “Units used” and this date, or neither';
  if (typed === '') return required && row?.[spec.key]?.trim() ? `${label} is required` : true;
  if (input === 'number') return (/^\d{1,6}$/.test(typed) && Number(typed) > 0) || 'A whole number, 1 or more';
  if (input !== 'date') return true;
  if (parseDate(typed) === null) return 'This date does not exist';
  const from = row?.['from_date'] ?? '';
  if (field === 'prior_until') return from <= typed || 'Must not be before “From”';
  return field !== 'until_date' || from === '' || from <= typed || 'Must not be before “From”';
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

export const authorizationRows = (list: readonly Authorization[] = []): ListRow[] =>
  list.map(({ units, prior_units, prior_until, ...row }) => ({
    ...row,
    units: String(units),
    prior_units: prior_units === null ? '' : String(prior_units),
    prior_until: prior_until ?? '',
  }));
/** The authorizations to send. The form's checks have made sure that each one has its dates. */
export const authorizationsTyped = (rows: readonly ListRow[]) =>
  typedRows(AUTHORIZATION_LIST, rows).flatMap((row) => {
    const [from_date, until_date] = [parseDate(row['from_date'] ?? ''), parseDate(row['until_date'] ?? '')];
    const code = BILLING_CODES.find((each) => each === row['code']);
    const period = AUTHORIZATION_PERIODS.find((each) => each === row['period']);
    if (!from_date || !until_date || !code || !period) return [];
    const [payer = '', number = ''] = [row['payer']?.trim(), row['number']?.trim()];
    const prior_until = parseDate(row['prior_until'] ?? '');
    const prior_units = prior_until === null ? null : Number(row['prior_units']);
    return [
      { payer, code, number, from_date, until_date, units: Number(row['units']), period, prior_units, prior_until },
    ];
  });

/**
 * An authorization in words: `Acme 97153: 40 h in all, 10 h used through March 31, 2026, number A-1 (from January 1, 2026
 * until June 30, 2026)`.
 */
export const authorizationWords = (own: Authorization): string => {
  const { payer, code, number, units, period, prior_units, prior_until } = own;
  const parts = [
    `${payer} ${code}: ${duration(units * UNIT_MINUTES)} ${PERIOD_WORDS[period]}`,
    ...(prior_units === null || prior_until === null
      ? []
      : [`${duration(prior_units * UNIT_MINUTES)} used through ${dateInWords(prior_until)}`]),
    ...(number === '' ? [] : [`number ${number}`]),
  ];
  return withDates(parts.join(', '), own);
};

/** A skill in words: `Spanish`, `CPI (until December 31, 2026)`. */
export const tagWords = ({ tag, ...dated }: Tag): string => withDates(tag, dated);

/** A credential in words: `RBT 22-1234 (until December 31, 2026)`. */
export const credentialWords = ({ credential, number, ...dated }: CredentialRecord): string =>
  withDates(number === '' ? credential : `${credential} ${number}`, dated);

/** Appends the first and last valid date, if any: `CPI (until December 31, 2026)`. */
export const withDates = (text: string, { from_date, until_date }: DatesOf): string => {
  const limits = [from_date && `from ${dateInWords(from_date)}`, until_date && `until ${dateInWords(until_date)}`];
  const words = limits.filter(Boolean).join(' ');
  return words === '' ? text : `${text} (${words})`;
};

/** A need in words: `Must have Spanish`, `Nice to have CPI`. */
export const needWords = ({ tag, must }: Need): string => `${must ? 'Must have' : 'Nice to have'} ${tag}`;
