import { sql, type RawBuilder } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { addDays, groupBy, mapValues, type Interval, type IsoDate, type Location, type Service } from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import type { QueryRow } from '../db/query-row.ts';
import type { Db } from '../db/connection.ts';
import { together } from '../db/snapshot.ts';
import { withTimes } from '../db/wall-time.ts';
import type { AppointmentStatus } from '../db/schema/calendar.ts';
import { authorizationsOf } from '../people/authorizations.queries.ts';
import { credentialQuery } from '../people/therapists.queries.ts';
import { closureOf, selectClosures } from './facts/closures.ts';
import { KNOWN_DAYS } from './facts/day.ts';
import { employmentOf } from '../people/employment.ts';
import { awayFrom, keptSpans } from '../ledgers/count/kept-spans.ts';
import { paidCodes, selectPayers } from '../ledgers/count/payers.ts';
import type { RuledClient, RuledSession, RuledTherapist } from './session-rules.ts';

/** A booked appointment, with what decides whether it is double-booked or breaks a rule. */
export interface BookedRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly wire_id: string;
  readonly location: Location;
  readonly client_id: string | null;
  readonly therapist_id: string | null;
  readonly service: Service;
  readonly subject: string;
  readonly status: AppointmentStatus;
  readonly starts: string;
  readonly ends: string;
  readonly place: string;
  readonly client_place: string;
  readonly seat: number;
}

/** Selects appointments that take up time, in chronological order. */
export const selectBooked = (db: Db, where: RawBuilder<unknown>): Promise<BookedRow[]> =>
  db
    .selectFrom('appointment')
    .select(['id', 'parent_id', 'wire_id', 'location', 'client_id', 'therapist_id', 'service', 'subject', 'status'])
    .select(['starts', 'ends', 'place', 'client_place', 'seat'])
    .where('occupies', '=', true)
    .where(sql<boolean>`${where}`)
    .orderBy('starts')
    .orderBy('id')
    .execute();

/** The condition that a session has not begun by `now`, a timestamp as PostgreSQL writes it. */
export const beginsAfter = (now: string) => sql`starts > ${now}::timestamp`;

interface Ids extends Readonly<Record<string, unknown>> {
  readonly therapistIds: readonly string[];
  readonly clientIds: readonly string[];
}

/** What is read about the people of sessions: the rows of each of these queries. */
const FACTS = {
  therapists: (db: Db, { therapistIds }: Ids) =>
    db
      .selectFrom('therapist')
      .select(['id', 'display_name', 'gender', 'specialization', 'start_date', 'end_date'])
      .where('id', '=', anyOf(therapistIds)),
  windows: (db: Db, { therapistIds }: Ids) =>
    db
      .selectFrom('therapist_availability')
      .select(['therapist_id', 'day_of_week', 'start_minute', 'end_minute', 'from_date', 'until_date'])
      .where('therapist_id', '=', anyOf(therapistIds)),
  credentials: (db: Db, { therapistIds }: Ids) => credentialQuery(db, anyOf(therapistIds)),
  tags: (db: Db, { therapistIds }: Ids) =>
    db
      .selectFrom('therapist_tag')
      .select(['therapist_id', 'tag', 'from_date', 'until_date'])
      .where('therapist_id', '=', anyOf(therapistIds)),
  clients: (db: Db, { clientIds }: Ids) =>
    db
      .selectFrom('client')
      .select(['id', 'display_name', 'location', 'rbt_or_above', 'care_team_only'])
      .where('id', '=', anyOf(clientIds)),
  restrictions: (db: Db, { clientIds }: Ids) =>
    db
      .selectFrom('client_restriction')
      .select(['client_id', 'requires_gender', 'excludes_therapist_id'])
      .where('client_id', '=', anyOf(clientIds))
      .orderBy('id'),
  needs: (db: Db, { clientIds }: Ids) =>
    db
      .selectFrom('client_need')
      .select(['client_id', 'tag', 'must'])
      .where('client_id', '=', anyOf(clientIds))
      .orderBy('tag_key'),
  authorizations: (db: Db, { clientIds }: Ids) =>
    db.selectFrom(authorizationsOf(clientIds)).select(['client_id', 'payer', 'code', 'from_date', 'until_date']),
};

type Facts = { readonly [Name in keyof typeof FACTS]: readonly QueryRow<(typeof FACTS)[Name]>[] };

async function selectFacts(db: Db, on: Ids): Promise<Facts> {
  const facts = mapValues(FACTS, (query) => sql`(select coalesce(json_agg(f), '[]') from (${query(db, on)}) f)`);
  const { rows } = await sql<{ readonly facts: Facts }>`select ${jsonBuildObject(facts)} as facts`.execute(db);
  const found = rows[0]?.facts;
  if (!found) throw new Error('the statement that selects what rules ask returned nothing');
  return found;
}

/** Whom administrative time is for, as far as rules ask: it breaks no rule of a client. */
const NO_CLIENT = {
  id: '',
  name: '',
  rbtOrAbove: false,
  careTeamOnly: false,
  requiresGender: [],
  excludesTherapist: [],
  needs: [],
  authorized: null,
  paid: [],
};

/**
 * Returns those of these appointments that are sessions still to be held with a client and a therapist, each with what
 * the rules ask about it. Reads nothing of earlier dates, except for clients who see only familiar people; with
 * `everyKnown`, for every client. With `admin`, returns administrative time, too.
 */
export async function selectRuled(
  db: Db,
  booked: readonly BookedRow[],
  { everyKnown = false, admin = false }: { everyKnown?: boolean; admin?: boolean } = {},
): Promise<RuledSession[]> {
  const rows = booked.flatMap((row) =>
    (row.client_id !== null || admin) && row.therapist_id !== null && row.status !== 'fulfilled'
      ? [{ ...withTimes(row), client_id: row.client_id ?? NO_CLIENT.id, therapist_id: row.therapist_id }]
      : [],
  );
  if (rows.length === 0) return [];
  const therapistIds = [...new Set(rows.map((row) => row.therapist_id))];
  const clientIds = [...new Set(rows.map((row) => row.client_id))];
  const dates = datesOf(rows);
  const [{ therapists, clients }, agreed, closures] = await together(
    selectRuledPeople(db, therapistIds, clientIds),
    selectExtraTime(db, rows),
    dates ? selectClosures(db, ...dates) : [],
  );
  const known = await selectKnown(
    db,
    rows.filter((row) => everyKnown || clients.get(row.client_id)?.careTeamOnly === true),
  );
  return rows.flatMap((row) => {
    const client =
      row.client_id === NO_CLIENT.id ? { ...NO_CLIENT, location: row.location } : clients.get(row.client_id);
    const therapist = therapists.get(row.therapist_id);
    if (!client || !therapist) return [];
    const { id, parent_id, date, start, end, location, service, subject } = row;
    const root = parent_id ?? id;
    const asked = agreed.get(extraKey(therapist.id, date, root)) ?? [];
    const people = { client, therapist, known: known(row), isSpent: false };
    const closed = closureOf(closures, row)?.name ?? null;
    return [{ id, root, date, start, end, location, service, subject, ...people, closed, agreed: asked }];
  });
}

/** Selects what the rules ask about these therapists and clients, by id. */
export async function selectRuledPeople(
  db: Db,
  therapistIds: readonly string[],
  clientIds: readonly string[],
): Promise<{
  readonly therapists: ReadonlyMap<string, RuledTherapist>;
  readonly clients: ReadonlyMap<string, RuledClient>;
}> {
  const [facts, payers] = await together(selectFacts(db, { therapistIds, clientIds }), selectPayers(db));
  return { therapists: therapistsOf(facts), clients: clientsOf(facts, payers) };
}

function therapistsOf(facts: Facts): ReadonlyMap<string, RuledTherapist> {
  const windows = groupBy(facts.windows, (row) => row.therapist_id);
  const credentials = groupBy(facts.credentials, (row) => row.therapist_id);
  const tags = groupBy(facts.tags, (row) => row.therapist_id);
  return new Map(
    facts.therapists.map((row) => [
      row.id,
      {
        id: row.id,
        name: row.display_name,
        gender: row.gender,
        specialization: row.specialization,
        employment: employmentOf(row),
        windows: windows.get(row.id) ?? null,
        credentials: credentials.get(row.id) ?? [],
        tags: tags.get(row.id) ?? [],
      },
    ]),
  );
}

function clientsOf(facts: Facts, payers: Parameters<typeof paidCodes>[0]): ReadonlyMap<string, RuledClient> {
  const restrictions = groupBy(facts.restrictions, (row) => row.client_id);
  const needs = groupBy(facts.needs, (row) => row.client_id);
  const authorizations = groupBy(facts.authorizations, (row) => row.client_id);
  return new Map(
    facts.clients.map((row) => {
      const own = restrictions.get(row.id) ?? [];
      const authorized = authorizations.get(row.id) ?? null;
      return [
        row.id,
        {
          id: row.id,
          name: row.display_name,
          location: row.location,
          rbtOrAbove: row.rbt_or_above,
          careTeamOnly: row.care_team_only,
          requiresGender: own.flatMap((each) => each.requires_gender ?? []),
          excludesTherapist: own.flatMap((each) => each.excludes_therapist_id ?? []),
          needs: needs.get(row.id) ?? [],
          authorized,
          paid: authorized === null ? [] : paidCodes(payers, authorized),
        },
      ];
    }),
  );
}

/** A session's row with its date, and with both of its people. */
interface PairRow {
  readonly client_id: string;
  readonly therapist_id: string;
  readonly date: IsoDate;
}

const datesOf = (rows: readonly PairRow[]): readonly [first: IsoDate, last: IsoDate] | null => {
  const dates = rows.map(({ date }) => date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  return first === undefined || last === undefined ? null : [first, last];
};

const extraKey = (therapist: string, date: IsoDate, root: string): string => `${date} ${root} ${therapist}`;

/**
 * The extra time for which therapists of these sessions were asked, by `extraKey`. Whoever has not agreed yet has a line
 * on the call list.
 */
async function selectExtraTime(db: Db, rows: readonly PairRow[]): Promise<ReadonlyMap<string, Interval[]>> {
  const dates = datesOf(rows);
  if (!dates) return new Map();
  const asked = await db
    .selectFrom('extra_hours as e')
    .leftJoin('schedule_commit as c', 'c.id', 'e.commit_id')
    .select(['e.therapist_id', 'e.date', 'e.session', 'e.start_minute as start', 'e.end_minute as end'])
    .where('e.date', '>=', dates[0])
    .where('e.date', '<=', dates[1])
    .where('e.ended_at', 'is', null)
    .where('c.undone_at', 'is', null)
    .execute();
  return groupBy(asked, (each) => extraKey(each.therapist_id, each.date, each.session));
}

/**
 * Tells of these sessions whether the client had a session with the therapist in the 90 days before, as `selectFamiliarity`
 * does for one date.
 */
async function selectKnown(db: Db, rows: readonly PairRow[]): Promise<(row: PairRow) => boolean> {
  const dates = datesOf(rows);
  if (!dates) return () => true;
  const first = addDays(dates[0], -KNOWN_DAYS);
  const found = await sql<PairRow>`
    with session as (
      select id, parent_id, location, client_id, therapist_id, starts, ends from appointment
      where client_id = ${anyOf(new Set(rows.map((row) => row.client_id)))}
        and therapist_id = ${anyOf(new Set(rows.map((row) => row.therapist_id)))}
        and occupies and starts >= ${first}::timestamp and starts < ${dates[1]}::timestamp
    ), ${awayFrom(['session'], sql`x.date >= ${first}::date and x.date < ${dates[1]}::date`)}
    select distinct client_id, therapist_id, starts::date as date from (${keptSpans('session')}) kept
    where whole or not isempty(spans)`.execute(db);
  const pairOf = ({ client_id, therapist_id }: PairRow): string => `${client_id} ${therapist_id}`;
  const met = groupBy(found.rows, pairOf);
  return (row) =>
    (met.get(pairOf(row)) ?? []).some(({ date }) => date < row.date && date >= addDays(row.date, -KNOWN_DAYS));
}
