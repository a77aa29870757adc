import { intersect, overlaps, type Interval, type NetChange, type ToldStretch } from '@clinic/domain';
import { rootOf, type ClinicDay, type DayAppointment } from '../../day/facts/day.ts';
import { declinedTogether } from '../memory/declines.ts';
import type { CallPerson, LineSession } from './line.ts';

/** What a line's sessions are found in: the day, and people's names by id. */
interface Booked {
  readonly day: ClinicDay;
  readonly shown: ReadonlyMap<string, string>;
}

/** Returns the sessions that a line is about: those that are new to the person, without administrative time. */
export function sessionsOf(
  { day, shown }: Booked,
  person: CallPerson,
  changes: readonly NetChange[],
  { told, now }: { readonly told: readonly ToldStretch[]; readonly now: readonly ToldStretch[] },
): LineSession[] {
  const fresh = changes.filter((c) => c.what === 'new');
  // A child may have two therapists at once; a change to one therapist's session is not a change to the other's.
  const staysBeside = (a: DayAppointment, c: NetChange): boolean =>
    person.kind === 'client' &&
    c.with !== a.therapistId &&
    now.some((n) => n.with === a.therapistId && n.service === a.service && overlaps(n, c));
  const sessions = day.appointments.filter((a) => a.location === day.location);
  const own = sessionsHere(day, person);
  return own
    .filter((a) => fresh.some((c) => overlaps(c, a) && !staysBeside(a, c)))
    .map((a) => {
      const open = person.kind === 'client' && fresh.every((c) => c.with === null || !overlaps(c, a));
      const therapistId = open ? null : a.therapistId;
      const other = person.kind === 'client' ? therapistId : a.clientId;
      const pieces = own.filter((each) => rootOf(each) === rootOf(a));
      const parts = person.kind === 'client' ? null : addedParts(a, pieces, changes, told);
      const named = other === null ? null : { id: other, name: shown.get(other) ?? '' };
      return { ...a, therapistId, with: named, parts, roots: declinedTogether(sessions, a) };
    });
}

/**
 * Returns the parts that were added to a session that its therapist already knew about. Null if the therapist did not
 * know about the session, or if any of the time that they knew about is gone.
 */
function addedParts(
  session: DayAppointment,
  pieces: readonly DayAppointment[],
  changes: readonly NetChange[],
  told: readonly ToldStretch[],
): Interval[] | null {
  const same = (s: ToldStretch): boolean => s.with === session.clientId && s.service === session.service;
  const own = changes.filter(same);
  if (own.some((c) => c.what === 'gone') || !told.some((t) => same(t) && pieces.some((piece) => overlaps(t, piece))))
    return null;
  return own.flatMap((c) => intersect(c, session) ?? []);
}

const sessionsHere = (day: ClinicDay, { kind, id }: CallPerson): DayAppointment[] =>
  day.appointments.filter(
    (a) =>
      a.location === day.location &&
      a.occupies &&
      a.service !== 'admin' &&
      (kind === 'client' ? a.clientId : a.therapistId) === id,
  );
