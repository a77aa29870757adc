import { sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom, jsonBuildObject } from 'kysely/helpers/postgres';
import { addDays, dayOfWeek, type IsoDate, type Location } from '@clinic/domain';
import type { QueryRow } from '../db/query-row.ts';
import type { Db } from '../db/connection.ts';
import {
  absenceAt,
  absenceOf,
  absenceQuery,
  ALL_APPOINTMENT_COLUMNS,
  appointmentAt,
  appointmentQuery,
} from './facts/clinic-day.queries.ts';
import { availabilityQuery, credentialQuery, therapistQuery, therapistsByName } from '../people/therapists.queries.ts';
import { clientHereQuery, clientsByName, CLIENT_COLUMNS, LEFT_DAYS } from '../people/clients.queries.ts';
import { declineOfRow, declineQuery } from '../tell/memory/declines.ts';
import { extraHoursOf, extraHoursQuery } from './extra-hours.ts';
import { freeToldOf, freeToldQuery } from './free-told.ts';
import { demoQuery } from './facts/present.ts';

/**
 * Selects what every load of a location's day needs: its people and sessions, who is available, away or has said no,
 * the day's version, and whether this is a demo clinic. It is one statement, so everything is of the same moment, and
 * neither side handles a dozen statements.
 * @param also the ids of clients to include even if they have no session that day
 */
export async function selectDay(db: Db, location: Location, date: IsoDate, also: readonly string[] = []) {
  const found = await dayRows(db, {
    location,
    date,
    from: date,
    to: date,
    next: addDays(date, 1),
    day: dayOfWeek(date),
    leftBefore: addDays(date, -LEFT_DAYS),
    also,
  });
  const others = found[0]?.others;
  if (!others) throw new Error('the statement that selects a day returned nothing');
  return {
    version: Number(others.version ?? 0),
    isDemo: others.demo.length > 0,
    therapists: therapistsByName(others.therapists, date),
    clients: clientsByName(others.clients),
    appointments: found.flatMap((each) => (each.id === null ? [] : appointmentAt(each, location, date))),
    availability: others.availability.map((r) => ({
      therapistId: r.therapist_id,
      start: r.start_minute,
      end: r.end_minute,
    })),
    credentials: others.credentials,
    absencesOnDate: others.absences.map((row) => absenceAt(absenceOf(row), location, date)),
    declines: others.declines.map(declineOfRow),
    asked: others.asked.map(extraHoursOf),
    freeTold: freeToldOf(others.free),
  };
}

interface Values {
  readonly location: Location;
  readonly date: IsoDate;
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly next: IsoDate;
  readonly day: number;
  readonly leftBefore: IsoDate;
  readonly also: readonly string[];
}

/** What arrives as JSON, beside the appointments. */
interface Others {
  readonly version: number | null;
  readonly demo: readonly unknown[];
  readonly therapists: readonly QueryRow<typeof therapistQuery>[];
  readonly clients: Parameters<typeof clientsByName>[0];
  readonly availability: readonly QueryRow<typeof availabilityQuery>[];
  readonly credentials: readonly QueryRow<typeof credentialQuery>[];
  readonly absences: readonly QueryRow<typeof absenceQuery>[];
  readonly declines: readonly QueryRow<typeof declineQuery>[];
  readonly asked: readonly QueryRow<typeof extraHoursQuery>[];
  readonly free: readonly QueryRow<typeof freeToldQuery>[];
}

/**
 * An appointment; a day without any has one row with no id. The first row has everything else. As JSON, the
 * appointments would take PostgreSQL twice as long: in each row, it looks up the type of every value again.
 */
type Found = (QueryRow<typeof appointmentQuery> | { readonly id: null }) & { readonly others: Others | null };

async function dayRows(db: Db, on: Values): Promise<Found[]> {
  const present = sql<string>`any(array(select id from present))`;
  const booked = sql<string>`(select client_id from booked)`;
  // Whether a client has left is looked up only for those without a session that day.
  const here = clientHereQuery(db, on, booked).select('client.id');
  const seen = sql<string>`any(array(${here} union ${booked} union select unnest(${on.also}::text[])))`;
  const version = db
    .selectFrom('location_day')
    .select('version')
    .where('location', '=', on.location)
    .where('date', '=', on.date);
  const others: Readonly<Record<keyof Others, RawBuilder<unknown>>> = {
    version: sql`(${version})`,
    demo: jsonArrayFrom(demoQuery(db)),
    therapists: sql`(select coalesce(json_agg(t order by t.id), '[]') from present t)`,
    clients: jsonArrayFrom(db.selectFrom('client').select(CLIENT_COLUMNS).where('id', '=', seen).orderBy('id')),
    availability: jsonArrayFrom(availabilityQuery(db, on, present)),
    credentials: jsonArrayFrom(credentialQuery(db, present)),
    absences: jsonArrayFrom(absenceQuery(db, on)),
    declines: jsonArrayFrom(declineQuery(db, on)),
    asked: jsonArrayFrom(extraHoursQuery(db, on)),
    free: jsonArrayFrom(freeToldQuery(db, on)),
  };
  const columns = sql.join(ALL_APPOINTMENT_COLUMNS.map((column) => sql.ref(`b.${column}`)));
  const { rows } = await sql<Found>`
    with present as (${therapistQuery(db, on)}), booked as (${appointmentQuery(db, on, present)})
    select ${columns}, case when row_number() over (order by b.starts, b.id) = 1
      then ${jsonBuildObject(others)} end as others
    from (select) as one left join booked b on true
    order by b.starts, b.id`.execute(db);
  return rows;
}
