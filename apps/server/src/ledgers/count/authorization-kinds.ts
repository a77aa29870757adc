import { sql } from 'kysely';
import {
  compareText,
  countedFrom,
  groupBy,
  holdsOn,
  type BillingCode,
  type Granted,
  type IsoDate,
} from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { authorizationsOf } from '../../people/authorizations.queries.ts';

/** An authorization as the database stores it. */
export interface StoredAuthorization extends Granted {
  readonly id: string;
  readonly client: string;
  readonly code: BillingCode;
}

/** An authorization that matters on one of the dates, and the first date whose sessions matter for it. */
interface Link {
  readonly own: StoredAuthorization;
  readonly since: IsoDate;
}

/**
 * Finds the authorizations that are valid on one of the dates, and the earlier ones that affect how many units they have
 * left. Of two authorizations for one code that overlapped, the one that ended first affects the other, and may itself be
 * affected by an earlier one; so several can form a chain. Authorizations that never overlap do not affect each other, so
 * this goes back only as far as needed.
 */
export function chainOn(authorizations: readonly StoredAuthorization[], dates: readonly IsoDate[]): Link[] {
  const last = dates.reduce((x, y) => (x > y ? x : y));
  const ordered = [...dates].sort(compareText);
  const links = new Map<string, Link>();
  const add = (own: StoredAuthorization, from: IsoDate): void => {
    const since = countedFrom(own, from);
    const known = links.get(own.id);
    if (known && known.since <= since) return;
    const link = { own, since };
    links.set(own.id, link);
    for (const other of authorizations)
      if (
        other.id !== own.id &&
        other.client === own.client &&
        other.code === own.code &&
        other.until_date >= since &&
        other.until_date <= own.until_date &&
        other.from_date <= last
      )
        add(other, since > other.from_date ? since : other.from_date);
  };
  for (const own of authorizations) {
    const first = ordered.find((date) => holdsOn(own, date));
    if (first !== undefined) add(own, first);
  }
  return [...links.values()];
}

/** Selects all authorizations of these clients. */
export const selectGranted = (db: Db, clientIds: readonly string[]): Promise<StoredAuthorization[]> =>
  db
    .selectFrom(authorizationsOf(clientIds))
    .select(['id', 'client_id as client', 'payer', 'code', 'number', 'from_date', 'until_date', 'units', 'period'])
    .select(['prior_units', 'prior_until'])
    .orderBy('id')
    .execute();

/** The authorizations of a client for one code, and the first date whose sessions matter for them. */
export interface Kind {
  readonly client: string;
  readonly code: BillingCode;
  readonly since: IsoDate;
  readonly all: readonly StoredAuthorization[];
}

export const kindKey = ({ client, code }: Pick<Kind, 'client' | 'code'>): string => `${client} ${code}`;

export function kindsOf(links: readonly Link[]): Kind[] {
  return [...groupBy(links, ({ own }) => kindKey(own)).values()].map((some) => {
    const [first] = some;
    const since = some.reduce((least, link) => (link.since < least ? link.since : least), first.since);
    return { client: first.own.client, code: first.own.code, since, all: some.map(({ own }) => own) };
  });
}

/** Selects these clients' authorizations that matter on one of the dates. */
export const selectKinds = async (db: Db, clientIds: readonly string[], dates: readonly IsoDate[]): Promise<Kind[]> =>
  kindsOf(chainOn(await selectGranted(db, clientIds), dates));

/** Only an authorization that is alone, without prior units, has its units added up by the database. */
export const isAlone = ({ all }: Kind): boolean => all.length === 1 && all[0]?.prior_units === null;

/**
 * Defines the SQL table `kind`. PostgreSQL knows how many rows it has; of a recursive query it would expect a hundred
 * times as many as there are, and then compile the statement for seconds.
 */
export const kindTable = (kinds: readonly Kind[]) => sql`kind as (
      select * from unnest(${kinds.map(({ client }) => client)}::text[], ${kinds.map(({ code }) => code)}::text[],
        ${kinds.map(({ since }) => since)}::date[], ${kinds.map(isAlone)}::boolean[]) as k (client_id, code, since, alone)
    )`;
