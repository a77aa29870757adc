import { MOST_AUTHORIZATIONS, MOST_TAGS, type Authorization, type CredentialRecord } from '@clinic/contract';
import {
  authorizationIdentity,
  datesMeet,
  groupBy,
  listWords,
  nameKey,
  type Dated,
  type IsoDate,
} from '@clinic/domain';
import { readAuthorization, readCredential, type DetailRow } from './detail-rows.ts';
import type { ImportKind, RowOutcome, SourceRow, Tables } from '../import-types.ts';
import type { PeopleIndex } from '../plan/people-index.ts';

/**
 * One person's authorization or credential in a file. It replaces the person's stored record with the same identity, as
 * `planDetails` defines it.
 */
export interface Detail<T> {
  readonly person: string;
  readonly record: T;
  /** The stored record that this one replaces. */
  readonly replaced?: T | undefined;
}

/** All stored authorizations and credentials, each with the person it belongs to. */
export interface DetailsSnapshot {
  readonly authorizations: readonly Detail<Authorization>[];
  readonly credentials: readonly Detail<CredentialRecord>[];
}

export const NO_DETAILS: DetailsSnapshot = { authorizations: [], credentials: [] };

export interface DetailsPlan extends DetailsSnapshot {
  readonly outcomes: readonly RowOutcome[];
}

/**
 * Decides what to do with every authorization and credential row, compared with those stored. A row replaces the stored
 * record with the same person, code (or credential), number and first day (`authorizationIdentity`), or else the one
 * whose first day it corrects. All other records stay. Pure.
 */
export function planDetails(
  tables: Tables,
  stored: DetailsSnapshot,
  people: { readonly clients: PeopleIndex; readonly therapists: PeopleIndex },
  today: IsoDate,
): DetailsPlan {
  const authorizations = planKind<Authorization>({
    kind: 'authorizations',
    rows: tables.authorizations?.rows ?? [],
    stored: stored.authorizations,
    read: (row) => readAuthorization(row, people.clients, today),
    identityOf: authorizationIdentity,
    optional: ['number', 'period', 'prior_units', 'prior_until'],
    settle: settlePrior,
    isAlike: (a, b) => a.code === b.code && nameKey(a.payer) === nameKey(b.payer),
    most: MOST_AUTHORIZATIONS,
  });
  const credentials = planKind<CredentialRecord>({
    kind: 'credentials',
    rows: tables.credentials?.rows ?? [],
    stored: stored.credentials,
    read: (row) => readCredential(row, people.therapists, today),
    identityOf: ({ credential, number, from_date }) => [credential, number, from_date],
    optional: ['number', 'from_date', 'until_date'],
    isAlike: (a, b) => a.credential === b.credential,
    most: MOST_TAGS,
  });
  return {
    authorizations: authorizations.writes,
    credentials: credentials.writes,
    outcomes: [...authorizations.outcomes, ...credentials.outcomes],
  };
}

interface KindInput<T> {
  readonly kind: ImportKind;
  readonly rows: readonly SourceRow[];
  readonly stored: readonly Detail<T>[];
  readonly read: (row: SourceRow) => DetailRow<T>;
  readonly identityOf: (record: T) => readonly (string | null)[];
  /** The columns that a file may lack; each is a value of the record by the same name. */
  readonly optional: readonly (keyof T & string)[];
  /** Corrects a record whose missing columns were filled. */
  readonly settle?: (filled: T, read: T, stored: T) => T;
  /** Whether two records of one person are of the same kind, whatever their numbers and dates. */
  readonly isAlike: (a: T, b: T) => boolean;
  /** The maximum number in one profile, which cannot be saved with more. */
  readonly most: number;
}

function planKind<T extends Dated & { readonly number: string }>(input: KindInput<T>) {
  const { kind, rows, stored, read, identityOf, most } = input;
  const keyOf = ({ person, record }: Detail<T>): string => JSON.stringify([person, ...identityOf(record)]);
  const contentOf = (record: T): string => JSON.stringify(Object.entries(record).sort());
  const before = new Map(stored.map((each) => [keyOf(each), each.record]));
  const own = groupBy(stored, ({ person }) => person);
  const counts = new Map([...own].map(([person, each]) => [person, each.length]));
  const seen = new Map<string, { readonly line: number; readonly content: string }>();
  const writes: Detail<T>[] = [];
  const given = rows.map((row) => ({ row, found: read(row) }));
  const listed = new Set(given.flatMap(({ found }) => ('reason' in found ? [] : [keyOf(found)])));
  /** The person's stored records that a row may mean if it is not about one of its own identity. */
  const unlisted = (person: string): T[] =>
    (own.get(person) ?? []).flatMap((each) => (listed.has(keyOf(each)) ? [] : [each.record]));
  const reads = given.map(({ row, found }) => ({ row, found: withUnsaid(row, found, own, unlisted, input) }));
  const inFile = new Set(reads.flatMap(({ found }) => ('reason' in found ? [] : [keyOf(found)])));
  // The stored records that no row of the file is about.
  const others: Map<string, Detail<T>[]> = groupBy(
    stored.filter((each) => !inFile.has(keyOf(each))),
    ({ person }) => person,
  );
  const decide = (line: number, found: DetailRow<T>): Pick<RowOutcome, 'outcome' | 'reason' | 'text'> => {
    if ('reason' in found) return { outcome: 'refused', ...found };
    const [key, content] = [keyOf(found), contentOf(found.record)];
    const earlier = seen.get(key);
    if (earlier?.content === content)
      return { outcome: 'merged', reason: 'same as another', text: `the same as line ${earlier.line}` };
    if (earlier)
      return {
        outcome: 'refused',
        reason: 'duplicate id',
        text: `line ${earlier.line} is for the same ${kind.slice(0, -1)}, with different values`,
      };
    const related = (others.get(found.person) ?? []).map((each) => each.record).filter(sameNumber(found.record, input));
    const corrected = before.has(key)
      ? undefined
      : related.find(({ until_date: last }) => last === found.record.until_date);
    const replaced = before.get(key) ?? corrected;
    // A profile may hold more from earlier: what is stored is compared and replaced all the same.
    if (!replaced) {
      const count = (counts.get(found.person) ?? 0) + 1;
      if (count > most)
        return { outcome: 'refused', reason: 'bad value', text: `a profile holds at most ${most} ${kind}` };
      counts.set(found.person, count);
    }
    seen.set(key, { line, content });
    const note = found.note ?? null;
    if (replaced && contentOf(replaced) === content) return { outcome: 'unchanged', reason: null, text: note };
    writes.push({ person: found.person, record: found.record, replaced });
    if (corrected) {
      others.set(
        found.person,
        (others.get(found.person) ?? []).filter((each) => each.record !== corrected),
      );
      const text = [`its first day was ${corrected.from_date ?? 'not given'}`, note].filter(Boolean).join('; ');
      return { outcome: 'changed', reason: null, text };
    }
    const overlapping = related.find((each) => datesMeet(each, found.record));
    const both = overlapping && kind === 'authorizations' ? bothCount(overlapping) : null;
    const text = [both, note].filter(Boolean).join('; ') || null;
    return { outcome: replaced ? 'changed' : 'new', reason: null, text };
  };
  const outcomes = reads.map(({ row: { line, original }, found }): RowOutcome => ({
    kind,
    line,
    ...decide(line, found),
    original,
  }));
  return { outcomes, writes };
}

/**
 * Fills the columns that the file lacks from the stored record that the row means by its other columns. Otherwise a file
 * without numbers would store each authorization twice, and one without last days would never let a credential expire.
 */
function withUnsaid<T extends Dated & { readonly number: string }>(
  { cells }: SourceRow,
  found: DetailRow<T>,
  stored: ReadonlyMap<string, readonly Detail<T>[]>,
  unlisted: (person: string) => readonly T[],
  input: KindInput<T>,
): DetailRow<T> {
  if ('reason' in found) return found;
  const unsaid = input.optional.filter((column) => cells[column] === undefined);
  if (unsaid.length === 0) return found;
  const { person, record } = found;
  const alike = (stored.get(person) ?? [])
    .map((each) => each.record)
    .filter((each) => input.isAlike(each, record) || isEqual(input.identityOf(each), input.identityOf(record)));
  const isSaid = (column: keyof T & string): boolean => !unsaid.includes(column);
  const same = alike.filter((each) => NAMING.every((column) => !isSaid(column) || each[column] === record[column]));
  const corrected = (): T | undefined =>
    unlisted(person).find((each) => sameNumber(record, input)(each) && each.until_date === record.until_date);
  const [fit = corrected(), ...others] = same;
  if (fit === undefined) return found;
  if (others.length > 0)
    return {
      reason: 'bad value',
      text: `the file has no column for ${listWords(NAMING.filter((column) => !isSaid(column)))}, and ${others.length + 1} stored ${input.kind} fit the row`,
    };
  const filled = { ...record, ...Object.fromEntries(unsaid.map((column) => [column, fit[column]])) };
  const { from_date: first, until_date: last } = filled;
  if (first !== null && last !== null && first > last) return found;
  return { ...found, record: input.settle?.(filled, record, fit) ?? filled };
}

/** The columns that tell a person's records for one code, or one credential, apart. */
const NAMING = ['number', 'from_date'] as const;

const isEqual = (a: readonly (string | null)[], b: readonly (string | null)[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/**
 * The units used of a record whose missing columns were filled. A number that has not changed keeps its date: the payer
 * has counted nothing since. A changed number has the date of its own row.
 */
function settlePrior(filled: Authorization, read: Authorization, stored: Authorization): Authorization {
  const isNew = filled.prior_units !== stored.prior_units;
  const prior_until = isNew ? read.prior_until : filled.prior_until;
  const counts = prior_until !== null && prior_until >= filled.from_date && !(isNew && filled.period !== 'total');
  return counts ? { ...filled, prior_until } : { ...filled, prior_units: null, prior_until: null };
}

/** Whether a stored record is of the same kind as this one, and has the same number. */
const sameNumber =
  <T extends { readonly number: string }>(record: T, { isAlike }: Pick<KindInput<T>, 'isAlike'>) =>
  (stored: T): boolean =>
    stored.number !== '' && stored.number === record.number && isAlike(stored, record);

const bothCount = ({ number, from_date, until_date }: Dated & { readonly number: string }): string =>
  `${number} is also stored from ${from_date} to ${until_date}, and the units of both count: if it is the same authorization, remove that one in the profile`;
