/** Books the meetings before a leave with its replacement: administrative time, which nobody pays for. */
import { sql } from 'kysely';
import type { Join } from '@clinic/contract';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import type { WallPresent } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { personDay, therapistWeek } from '../../db/locks.ts';
import { timestampOf } from '../../db/wall-time.ts';
import { refusal } from '../../platform/refusal.ts';
import { openCallDays } from '../../tell/memory/call-day.ts';
import { membersOf, type Choice, type Taken } from './choice.ts';
import type { StoredStanding } from './stored-standing.ts';
import { loadWarm, unfitJoin } from './warm-problem.ts';
import { newPairs } from './warm.service.ts';

/** The locks on the days of everyone who meets, and on the weeks of those who gain time. */
export const locksOfJoins = (meetings: readonly Join[]): string[] =>
  meetings.flatMap(({ child, therapist, date }) => [
    personDay('therapist', therapist, date),
    therapistWeek(therapist, date),
    ...membersOf(child).map((id) => personDay('client', id, date)),
  ]);

/**
 * Books these meetings as a part of the commit, which takes them back when it is undone. Refuses (409) when one of them
 * does not fit any more: who does not take a session of the child in the choice, a session that changed, time that is taken.
 * The caller holds the locks and records the events.
 */
export async function writeJoins(
  trx: Db,
  wall: WallPresent,
  stored: StoredStanding,
  { choice, meetings, taken }: { choice: Choice; meetings: readonly Join[]; taken: readonly Taken[] },
  commit: string,
): Promise<AppointmentChange[]> {
  if (meetings.length === 0) return [];
  const { reply } = stored;
  const { location } = reply;
  const pairs = newPairs(stored, choice);
  const isMeant = (each: Join): boolean =>
    pairs.some((pair) => pair.child === each.child && pair.therapist === each.therapist);
  const loaded = await loadWarm(trx, wall, stored, pairs, taken);
  const nameOf = (id: string): string => reply.children.find((each) => each.id === id)?.name ?? 'this child';
  const unfit = meetings.find((each) => !isMeant(each)) ?? unfitJoin(loaded, meetings);
  if (unfit)
    throw refusal(
      'meeting-gone',
      reply.people[unfit.therapist]?.name ?? 'This person',
      nameOf(unfit.child),
      unfit.date,
    );
  await openCallDays(
    trx,
    meetings.map(({ date }) => ({ location, date })),
  );
  const { rows } = await sql<{ id: string; number: string }>`
    select gen_random_uuid() as id, nextval('appointment_number') as number
    from generate_series(1, ${meetings.length}::int)`.execute(trx);
  const made = meetings.flatMap((each, i) => (rows[i] ? [changeOf(each, rows[i], { nameOf, location, commit })] : []));
  await trx
    .insertInto('appointment')
    .values(
      made.map(({ after, subject }) => ({
        id: after.key,
        wire_id: after.wireId,
        location,
        client_id: null,
        therapist_id: after.therapistId,
        booked_therapist_id: null,
        service: 'admin' as const,
        subject,
        status: after.status,
        starts: after.starts,
        ends: after.ends,
        place: after.place,
        client_place: after.clientPlace,
        seat: 1,
        group_key: null,
        clash: false,
        parent_id: null,
        series_id: null,
        commit_id: commit,
      })),
    )
    .execute();
  return made;
}

function changeOf(
  { child, therapist, date, start, end }: Join,
  { id, number }: { id: string; number: string },
  {
    nameOf,
    location,
    commit,
  }: Pick<AppointmentChange, 'location'> & { nameOf: (id: string) => string; commit: string },
): AppointmentChange {
  const wireId = `APT-${number}`;
  return {
    key: id,
    of: id,
    wireId,
    clientId: null,
    location,
    date,
    subject: `Meets ${nameOf(child)}`.slice(0, 200),
    before: null,
    had: null,
    after: {
      key: id,
      wireId,
      therapistId: therapist,
      bookedTherapistId: null,
      status: 'pending',
      starts: timestampOf(date, start),
      ends: timestampOf(date, end),
      place: id,
      clientPlace: id,
      clash: false,
      commitId: commit,
      familyToldAt: null,
      version: 1,
    },
    what: 'covered',
    reason: 'The child meets whoever takes the sessions',
  };
}
