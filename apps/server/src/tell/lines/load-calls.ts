import { sql } from 'kysely';
import { selectClosures } from '../../day/facts/closures.ts';
import type { IsoDate, Location } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import { selectAbsences, selectTherapistAppointments } from '../../day/facts/clinic-day.queries.ts';
import { cutAt, type WallPresent } from '../../day/facts/present.ts';
import type { ClinicDay, Decline } from '../../day/facts/day.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { together } from '../../db/snapshot.ts';
import { idOf, selectAnswers, selectBefore, type Answer, type BeforeRow } from '../memory/call-day.ts';
import type { Reached } from '../memory/knows.ts';
import { selectReached } from './call-day.queries.ts';
import { selectReturned, selectUndone } from './returned.queries.ts';
import type { CallData, CallList, CallPerson } from './line.ts';
import { loadServes, selectUnmet } from './who-may-serve.ts';
import { callList, presentOf } from './lines.ts';

/** Makes a day's call list from the calendar as it is now. */
export async function loadCallList(db: Db, location: Location, date: IsoDate, wall: WallPresent): Promise<CallList> {
  return callList(await loadCallData(db, location, date, wall));
}

/** Reads everything that determines a day's call list. `loaded` is the day, if the caller has already read it. */
export async function loadCallData(
  db: Db,
  location: Location,
  date: IsoDate,
  wall: WallPresent,
  loaded?: ClinicDay,
): Promise<CallData> {
  // Appointments are read before their earlier states, so that a change between the two reads is not missed.
  const day = loaded ?? (await loadClinicDay(db, location, date, { familiarity: false }));
  const present = presentOf(date, wall, cutAt(wall, day.isDemo));
  const [before, answers, heard, returned, undone, closures] = await together(
    selectBefore(db, location, date),
    selectAnswers(db, location, date),
    selectReached(db, location, date),
    selectReturned(db, day, present.from),
    selectUndone(db, day, present.minutes),
    selectClosures(db, date, date),
  );
  const known = new Set([...day.therapists, ...day.clients].map((person) => person.id));
  const further = await selectFurther(
    db,
    idsOf(before, answers, day.declines).filter((id) => !known.has(id)),
  );
  const ids = further.map((person) => person.id);
  const [absences, visits] =
    ids.length === 0
      ? [[], []]
      : await together(selectAbsences(db, date, ids, ids), selectTherapistAppointments(db, date, ids));
  const elsewhere = visits.filter((visit) => visit.location !== location);
  const people: CallPerson[] = [
    ...day.therapists.filter((t) => !t.deleted).map((t) => personOf('therapist', t)),
    ...day.clients.map((c) => personOf('client', c)),
    ...further,
  ];
  const changed = new Set(before.map(({ key }) => key));
  const data: CallData = {
    day,
    before,
    answers,
    heard,
    returned,
    undone,
    people,
    further: absences,
    elsewhere,
    unmet: await selectUnmet(
      db,
      [...day.appointments.filter(({ key, occupies }) => occupies && changed.has(key)), ...heardOf(answers, heard)],
      date,
    ),
    serves: () => true,
    closures: closures.filter((each) => each.location === location),
    present,
  };
  // Who may serve whom is read only for a day on which someone has to stand by.
  const isWaiting = callList(data).lines.some(({ free }) => free.some(({ how }) => how !== 'released'));
  return isWaiting ? { ...data, serves: await loadServes(db, day, wall) } : data;
}

const personOf = (
  kind: CallPerson['kind'],
  { id, firstName, displayName, location }: Omit<CallPerson, 'kind'>,
): CallPerson => ({ kind, id, firstName, displayName, location });

/** The sessions that therapists heard of in calls and messages. */
const heardOf = (answers: readonly Answer[], heard: readonly Reached[]) =>
  [...answers, ...heard]
    .filter(({ person }) => person.startsWith('therapist:'))
    .flatMap(({ person, day }) =>
      (day ?? []).map(({ service, with: clientId }) => ({ service, therapistId: idOf(person), clientId })),
    );

/**
 * Lists the ids of all people who may have a line: those with a session when the list was opened, those who were told
 * of a session, and those in a session that a therapist or a family declined.
 */
function idsOf(before: readonly BeforeRow[], answers: readonly Answer[], declines: readonly Decline[]): string[] {
  const told = answers.flatMap(({ person, day }) => [idOf(person), ...(day ?? []).map((stretch) => stretch.with)]);
  const had = before.flatMap(({ state }) => (state ? [state.clientId, state.therapistId] : []));
  const refused = declines.flatMap(({ saidTo }) => saidTo.map(({ client }) => client));
  return [...new Set([...told, ...had, ...refused])].filter((id) => id !== null);
}

/**
 * Finds the people who are no longer part of the day. Therapists who have left the clinic are not included, because
 * they are told nothing.
 */
async function selectFurther(db: Db, ids: readonly string[]): Promise<CallPerson[]> {
  if (ids.length === 0) return [];
  const among = anyOf(ids);
  const columns = sql`id, first_name as "firstName", display_name as "displayName", location`;
  const { rows } = await sql<CallPerson>`
    select 'therapist' as kind, ${columns} from therapist where id = ${among} and deleted_at is null
    union all select 'client', ${columns} from client where id = ${among} order by kind desc`.execute(db);
  return rows;
}
