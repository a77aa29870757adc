import { MOST_AUTHORIZATIONS, MOST_TAGS, type Authorization, type CredentialRecord } from '@clinic/contract';
import { authorizationIdentity, groupBy } from '@clinic/domain';
import { readAuthorization, readCredential, type DetailRow } from './detail-rows.ts';
import type { ImportKind, RowOutcome, SourceRow, Tables } from './import-types.ts';
import type { PeopleIndex } from './people-index.ts';

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
 * record with the same person, code (or credential), number and first day (`authorizationIdentity`). All other records
 * stay. Pure.
 */
export function planDetails(
  tables: Tables,
  stored: DetailsSnapshot,
  people: { readonly clients: PeopleIndex; readonly therapists: PeopleIndex },
): DetailsPlan {
  const authorizations = planKind<Authorization>({
    kind: 'authorizations',
    rows: tables.authorizations?.rows ?? [],
    stored: stored.authorizations,
    read: (row) => readAuthorization(row, people.clients),
    identityOf: authorizationIdentity,
    most: MOST_AUTHORIZATIONS,
  });
  const credentials = planKind<CredentialRecord>({
    kind: 'credentials',
    rows: tables.credentials?.rows ?? [],
    stored: stored.credentials,
    read: (row) => readCredential(row, people.therapists),
    identityOf: ({ credential, number, from_date }) => [credential, number, from_date],
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
  /** The maximum number in one profile, which cannot be saved with more. */
  readonly most: number;
}

function planKind<T extends object>({ kind, rows, stored, read, identityOf, most }: KindInput<T>) {
  const keyOf = ({ person, record }: Detail<T>): string => JSON.stringify([person, ...identityOf(record)]);
  const contentOf = (record: T): string => JSON.stringify(Object.entries(record).sort());
  const before = new Map(stored.map((each) => [keyOf(each), each.record]));
  const counts = new Map([...groupBy(stored, ({ person }) => person)].map(([person, own]) => [person, own.length]));
  const seen = new Map<string, { readonly line: number; readonly content: string }>();
  const writes: Detail<T>[] = [];
  const decide = (row: SourceRow): Pick<RowOutcome, 'outcome' | 'reason' | 'text'> => {
    const found = read(row);
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
    const replaced = before.get(key);
    // A profile may hold more from earlier: what is stored is compared and replaced all the same.
    if (!replaced) {
      const count = (counts.get(found.person) ?? 0) + 1;
      if (count > most)
        return { outcome: 'refused', reason: 'bad value', text: `a profile holds at most ${most} ${kind}` };
      counts.set(found.person, count);
    }
    seen.set(key, { line: row.line, content });
    if (replaced && contentOf(replaced) === content) return { outcome: 'unchanged', reason: null, text: null };
    writes.push({ ...found, replaced });
    return { outcome: replaced ? 'changed' : 'new', reason: null, text: null };
  };
  const outcomes = rows.map((row): RowOutcome => ({ kind, line: row.line, ...decide(row), original: row.original }));
  return { outcomes, writes };
}
