import type { ActionsReply } from '@clinic/contract';
import { whomToCall, type Location } from '@clinic/domain';
import type { AppointmentChange } from '../../../clinic-day/appointment-states.ts';
import type { ClinicDay } from '../../../clinic-day/day.ts';
import type { WallPresent } from '../../../clinic-day/present.ts';
import type { Db } from '../../../db/connection.ts';
import { personKey, type PersonKey } from './call-day.queries.ts';
import { loadCallList } from './load-calls.ts';

/** What a commit has changed on a date. */
interface ChangedDay {
  readonly day: ClinicDay;
  readonly changes: readonly AppointmentChange[];
  /** For each appointment that needs cover again, the therapist who had it until then. */
  readonly hadBefore: ReadonlyMap<string, string>;
}

/** The call lines of everyone whom a commit affects. Call this after the commit's writes. */
export async function commitCalls(
  trx: Db,
  location: Location,
  wall: WallPresent,
  days: readonly ChangedDay[],
): Promise<ActionsReply['calls']> {
  const calls: ActionsReply['calls'] = [];
  for (const changed of days) {
    const { date } = changed.day;
    const touched = touchedPeople(changed);
    const { lines } = await loadCallList(trx, location, date, wall);
    for (const { person, kind, name, say } of lines) {
      if (!touched.has(person)) continue;
      calls.push({
        who: whomToCall(kind, name),
        kind: kind === 'client' ? 'family' : 'therapist',
        date,
        say: say.join(' '),
      });
    }
  }
  return calls;
}

function touchedPeople({ changes, hadBefore }: ChangedDay): Set<PersonKey> {
  const therapists = [
    ...changes.flatMap((c) => [c.before?.therapistId, c.after.therapistId, c.had]),
    ...hadBefore.values(),
  ];
  return new Set([
    ...therapists.flatMap((id) => (id == null ? [] : [personKey('therapist', id)])),
    ...changes.flatMap((c) => (c.clientId === null ? [] : [personKey('client', c.clientId)])),
  ]);
}
