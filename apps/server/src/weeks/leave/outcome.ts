import { sql } from 'kysely';
import type { LeaveOutcome } from '@clinic/contract';
import { locationValues, possessive, subtract, timeSlot, type Interval, type IsoDate } from '@clinic/domain';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import type { DatedAppointment } from '../../day/facts/day.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { datedOf, selectAppointmentRows } from '../../day/facts/clinic-day.queries.ts';
import { selectNames } from '../../people/people.ts';
import type { AbsentPerson } from '../../plan/absences/absences.queries.ts';
import type { ReturnedSession, StoredChange } from '../../plan/absences/taking-back.ts';
import { asideTime } from '../../plan/problem/set-aside.ts';

/** What became of the sessions that a leave had cancelled. */
export interface Aside {
  readonly back: readonly AppointmentChange[];
  readonly stays: readonly (AppointmentChange & { readonly why: string })[];
}

interface Done {
  /** The leave that stands now; null if none does. */
  readonly leave: string | null;
  readonly person: AbsentPerson;
  /** When the act was made (ISO 8601). */
  readonly at: string;
  readonly done: readonly StoredChange[];
  readonly aside: Aside;
}

/** Says what a change to a leave did: whose sessions come back, and what stays with others, moved or cancelled. */
export async function outcomeOf(trx: Db, { leave, person, at, done, aside }: Done): Promise<LeaveOutcome> {
  const freed = new Map(done.map(({ date, before, after }) => [date, subtract(before, after)]));
  for (const [date, times] of freed) if (times.length === 0) freed.delete(date);
  const rows = await sessionsFreed(trx, person, freed);
  const others = person.kind === 'therapist' ? await sessionsElsewhere(trx, person, freed) : [];
  const isBack = (row: DatedAppointment): boolean => row.therapistId === null;
  const returned = done.flatMap((each) => each.returned);
  const names = await selectNames(
    trx,
    [...returned, ...rows, ...others, ...aside.back, ...aside.stays].flatMap((each) => [
      each.clientId ?? '',
      ('therapistId' in each ? each.therapistId : (each.before ?? each.after).therapistId) ?? '',
    ]),
  );
  const nameOf = (id: string | null): string => names.get(id ?? '') ?? '';
  const shown = (row: DatedAppointment) => ({
    date: row.date,
    time: timeSlot(row.start, row.end),
    client: nameOf(row.clientId),
    therapist: row.therapistId === null ? null : nameOf(row.therapistId),
  });
  const shownAside = (change: AppointmentChange) => {
    const { therapistId } = change.before ?? change.after;
    return {
      ...asideTime(change),
      client: nameOf(change.clientId),
      therapist: therapistId === null ? null : nameOf(therapistId),
    };
  };
  return {
    id: leave,
    changed_at: at,
    dates: freed.size,
    own: rows.filter((row) => person.kind === 'client' || row.therapistId === person.id).length,
    back: [
      ...rows.filter((row) => person.kind === 'therapist' && isBack(row)).map(shown),
      ...firstOfEach(aside.back).map(shownAside),
    ],
    to_tell: person.kind === 'therapist' ? toTell(returned, nameOf) : [],
    stays: [
      ...others.map((row) => ({ ...shown(row), why: whyElsewhere(row, nameOf) })),
      ...aside.stays.map((change) => ({ ...shownAside(change), why: change.why })),
    ],
  };
}

/** Whose day changes when these sessions return: those who had them, and the families. */
function toTell(returned: readonly ReturnedSession[], nameOf: (id: string | null) => string): string[] {
  const therapists = returned.flatMap(({ therapistId }) => (therapistId === null ? [] : nameOf(therapistId)));
  const families = returned.flatMap(({ clientId }) =>
    clientId === null ? [] : `${possessive(nameOf(clientId))} family`,
  );
  return [...[...new Set(therapists)].sort(), ...[...new Set(families)].sort()];
}

/** One change of each session. */
const firstOfEach = (changes: readonly AppointmentChange[]): AppointmentChange[] => [
  ...new Map(changes.map((each) => [each.of, each])).values(),
];

/** The condition that an appointment is on one of these dates, at any location, for the index on both. */
const onDates = (dates: readonly IsoDate[], table = 'appointment') =>
  sql<boolean>`${sql.ref(`${table}.location`)} = ${anyOf(locationValues())}
    and ${sql.ref(`${table}.starts`)}::date = any(${[...dates]}::date[])`;

const overlapsAny = (row: Interval, times: readonly Interval[] | undefined): boolean =>
  (times ?? []).some((time) => row.start < time.end && time.start < row.end);

/** The person's sessions in the time that is free again: their own, and those that need a therapist again. */
async function sessionsFreed(
  trx: Db,
  { kind, id }: AbsentPerson,
  freed: ReadonlyMap<IsoDate, readonly Interval[]>,
): Promise<DatedAppointment[]> {
  const whose =
    kind === 'client'
      ? sql<boolean>`client_id = ${id}`
      : sql<boolean>`(therapist_id = ${id} or therapist_id is null and booked_therapist_id = ${id})`;
  const rows = await selectAppointmentRows(trx)
    .where(whose)
    .where('service', '<>', 'admin')
    .where('occupies', '=', true)
    .where(onDates([...freed.keys()]))
    .orderBy('starts')
    .orderBy('id')
    .execute();
  return rows.map(datedOf).filter((row) => overlapsAny(row, freed.get(row.date)));
}

/** Sessions that were this therapist's when they became away, and that someone else has now, or that were cancelled. */
async function sessionsElsewhere(
  trx: Db,
  { id }: AbsentPerson,
  freed: ReadonlyMap<IsoDate, readonly Interval[]>,
): Promise<DatedAppointment[]> {
  const { rows: keys } = await sql<{ id: string }>`
    select distinct a.id from appointment a
    where ${onDates([...freed.keys()], 'a')} and a.status <> 'entered-in-error'
      and a.therapist_id is distinct from ${id}
      and (a.booked_therapist_id = ${id} and a.therapist_id is not null or exists (
        select from appointment_event e where e.appointment_id in (a.id, a.parent_id)
          and coalesce(e.before->>'therapistId', '') = ${id}))
      and (a.therapist_id is not null or a.status = 'cancelled')`.execute(trx);
  const rows = await selectAppointmentRows(trx)
    .where(
      'id',
      '=',
      anyOf(
        keys.map((row) => row.id),
        'uuid',
      ),
    )
    .orderBy('starts')
    .orderBy('id')
    .execute();
  return rows.map(datedOf).filter((row) => overlapsAny(row, freed.get(row.date)));
}

function whyElsewhere(row: DatedAppointment, nameOf: (id: string | null) => string): string {
  if (row.status === 'cancelled') return 'cancelled';
  return row.bookedTherapistId === null
    ? `moved to ${nameOf(row.therapistId)}`
    : `covered by ${nameOf(row.therapistId)}`;
}
