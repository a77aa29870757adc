// This file is over 250 lines because it holds every step of a change, from the request to the rows that are written.
import { addDays, codeOf, daysBetween, isoDate, type IsoDate } from '@clinic/domain';
import type { appointmentsEndpoints, WireAppointment } from '@clinic/contract';
import { askForBooked } from '../day/ask-extra.ts';
import { nearDays, openCallDays } from '../tell/memory/call-day.ts';
import { settleClashes, type Settled } from '../day/clashes.ts';
import { rootOf } from '../day/facts/day.ts';
import { selectNames } from '../people/people.ts';
import type { DatedAppointment } from '../day/facts/day.ts';
import type { Db } from '../db/connection.ts';
import type { Act } from '../access/act.ts';
import { isoAt } from '../platform/clock.ts';
import type { Call } from '../http/route.ts';
import { refusal } from '../platform/refusal.ts';
import {
  endSeriesBefore,
  insertEvents,
  selectSeries,
  updateAppointment,
  type AppointmentFields,
} from './appointments.queries.ts';
import { recordSeries } from './book.ts';
import { passRules, refuseMismatch, type Booking, type Passed } from './match.ts';
import { selectMatch } from './placing.queries.ts';
import { showAppointment, statusShownNow, type AppointmentContext } from './show.ts';
import { sayWhy } from './say-why.ts';
import { lockTargets, requireNewest } from './targets.ts';
import { isGroup, readWanted, takesTime, timesOf, type KnownNames, type Wanted } from './wanted.ts';
import { booking, claimOf, claiming, placeOf, recordRead, settleWrite, statesSince } from './write.ts';

type ChangeBody = Call<typeof appointmentsEndpoints.update>['body'];

/** A change to one appointment: its current state, the requested state, and their differences. */
interface Change {
  readonly before: DatedAppointment;
  readonly wanted: Wanted;
  readonly diff: Differences;
}

/**
 * Changes a session and, with another scope than `one`, sessions of its series: all or none. Refuses an outdated version
 * (409, with the newest version), a double booking (409, with names and times), and a therapist whom the client's
 * restrictions rule out (422). A new time or therapist takes the session out of imported double bookings and removes
 * its link to a commit. Saving without a change writes nothing.
 */
export async function changeAppointment(
  db: Db,
  act: Act,
  key: string,
  body: ChangeBody,
  context: AppointmentContext,
): Promise<WireAppointment> {
  if (body.weekly_until != null) {
    throw refusal('series-of-existing');
  }
  const scope = body.scope ?? 'one';
  const target = { key, scope, version: body.version, todayAt: () => context.now.date };
  return booking(db, act, async (trx) => {
    let wanted: Wanted | undefined;
    const rows = await lockTargets(trx, act, target, async ([first, ...others]) => {
      if (!first) return [];
      const read = await readWanted(trx, act.caller, body, context.adminClientName, await namesOf(trx, first));
      wanted = await withStatus(trx, first, read);
      return [first, ...others].map((row) => wantedFor(row, first, wanted as Wanted));
    });
    const [first] = rows;
    if (!wanted) throw new Error('the requested change was not read');
    const changes: Change[] = [];
    for (const before of rows) {
      const own = wantedFor(before, first, wanted);
      changes.push({ before, wanted: own, diff: differences(before, own) });
    }
    const changed = changes.filter((change) => change.diff.changed.length > 0);
    requireNewest(target, first, changed.length > 0);
    await refuseUnfit(trx, changed, context.now.date);
    const asks = body.ask === true && scope === 'one' && changed.length > 0;
    // A change to a single session opens the day's call list, however far ahead the day is; a change to a series opens
    // only the lists of the next days.
    const days = changed.flatMap((change) => [change.before, change.wanted]);
    await openCallDays(trx, scope !== 'one' ? nearDays(days, context.now.date) : days);
    const bookings = newBookings(changed, context.now.date);
    const { settled, passed } = await writeChanges(trx, act, changed, {
      splits: scope !== 'one',
      pass: () => passRules(trx, bookings, { anyway: body.anyway === true, asks }, context.now),
    });
    if (asks && first) await askForBooked(trx, { ...wanted, session: rootOf(first) }, act);
    const said = await sayWhyOff(trx, changes, body.loss, context);
    requireNewest(target, first, said.length > 0);
    const shown = await showAppointment(trx, key, context);
    if (changed.length > 0 || said.length > 0) {
      await settleWrite(trx, act, {
        action: 'appointment.changed',
        keys: [...new Set([...changed.map((change) => change.before.key), ...said])],
        touched: [...(changed.length > 0 ? changed : changes).flatMap((c) => [c.before, c.wanted]), ...settled],
        detail: {
          changed: [...(changed[0]?.diff.changed ?? []), ...(said.length > 0 ? ['cause'] : [])],
          ...(passed === null ? {} : { passed: passed.rules }),
        },
      });
    } else await recordRead(trx, act, first);
    return shown;
  });
}

/** Records why the change cancelled sessions or marked them as no-shows. */
async function sayWhyOff(
  trx: Db,
  changes: readonly Change[],
  loss: ChangeBody['loss'],
  context: AppointmentContext,
): Promise<string[]> {
  const off = changes.filter(({ wanted, diff }) => {
    const isOff = wanted.status === 'cancelled' || wanted.status === 'noshow';
    return isOff && (diff.status || loss !== undefined);
  });
  return sayWhy(
    trx,
    off.map(({ before }) => before),
    loss,
    context.now,
  );
}

/**
 * Whether the change brings a future session back to the calendar. Correcting the status of a past session is not a new
 * booking.
 */
const comesBack = ({ wanted, diff }: Change, today: IsoDate): boolean => diff.revived && wanted.date >= today;

/**
 * Returns the changed sessions that count as new bookings: they get another therapist, client, date, time or billing
 * code, or are brought back.
 */
export const newBookings = (changes: readonly Change[], today: IsoDate): Booking[] =>
  changes
    .filter((change) => {
      const { therapist, client, time, code } = change.diff;
      return therapist || client || time || code || comesBack(change, today);
    })
    .map(({ before, wanted }) => ({
      ...wanted,
      key: before.key,
      parentId: before.parentId,
      before: before.occupies ? before : null,
    }));

/**
 * Refuses (422) a therapist whom the client's restrictions rule out. All sessions of the change get the same people.
 */
export async function refuseUnfit(trx: Db, changes: readonly Change[], today: IsoDate): Promise<void> {
  const booked = changes.find((change) => {
    return change.diff.therapist || change.diff.client || comesBack(change, today);
  });
  const { clientId = null, therapistId = null } = booked?.wanted ?? {};
  if (clientId !== null && therapistId !== null) refuseMismatch(await selectMatch(trx, clientId, therapistId));
}

async function namesOf(trx: Db, { therapistId, clientId }: DatedAppointment): Promise<KnownNames> {
  const names = await selectNames(trx, [therapistId ?? '', clientId ?? '']);
  const named = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? '' });
  return { therapist: named(therapistId), client: named(clientId) };
}

/**
 * Applies the first session's change to a later session of the series, moved by the same number of days. The statuses
 * Completed and No Show apply to the first session only.
 */
function wantedFor(row: DatedAppointment, first: DatedAppointment, wanted: Wanted): Wanted {
  if (row.key === first.key) return wanted;
  const status = wanted.status === 'fulfilled' || wanted.status === 'noshow' ? null : wanted.status;
  return { ...wanted, status, date: addDays(row.date, daysBetween(first.date, wanted.date)) };
}

/**
 * @param pass asked last, since nobody should save anyway what is then refused
 * @returns the appointments that are no longer part of an imported double booking, and the rules that were overridden
 */
export async function writeChanges(
  trx: Db,
  act: Act,
  changes: readonly Change[],
  { splits, pass }: { splits: boolean; pass: () => Promise<Passed | null> },
): Promise<{ settled: Settled[]; passed: Passed | null }> {
  const [first] = changes;
  if (!first) return { settled: [], passed: null };
  const { wanted } = first;
  const seriesId = splits ? await splitSeries(trx, changes) : undefined;
  const now = isoAt(act.at);
  const writes = [];
  for (const change of changes) writes.push({ ...change, fields: await fieldsFor(trx, change) });
  const claims = writes.map(({ before, wanted: own, fields }) => claimOf(before.key, own, fields));
  // Writes the latest week first if the sessions move forward, and the earliest week first otherwise, so that the
  // sessions do not collide with each other.
  const order = writes.toSorted((a, b) => (a.before.date < b.before.date ? -1 : 1));
  if (wanted.date > first.before.date) order.reverse();
  await claiming(claims, async () => {
    for (const { before, fields, diff: differs } of order) {
      // If the family was told about an earlier cancellation, that no longer counts.
      const untold = differs.revived ? { family_told_at: null } : {};
      await updateAppointment(
        trx,
        before.key,
        { ...fields, ...untold, ...(seriesId ? { series_id: seriesId } : {}) },
        now,
      );
    }
  });
  const passed = await pass();
  const settled = await settleClashes(
    trx,
    writes.flatMap(({ before, fields }) => clashesLeft(before, fields)),
  );
  const events = [];
  for (const { before, wanted: own, diff: differs } of writes) {
    events.push({
      key: before.key,
      what: eventOf(own, differs),
      reason: passed?.reason ?? null,
      ...(await statesSince(trx, before)),
    });
  }
  await insertEvents(trx, act.caller.id, now, events);
  return { settled, passed };
}

/**
 * Makes the changed sessions a separate series; the old series ends before them. If the old one had no end, the new one
 * has none either.
 */
async function splitSeries(trx: Db, changes: readonly Change[]): Promise<string | undefined> {
  const inOrder = changes.toSorted((a, b) => (a.before.date < b.before.date ? -1 : 1));
  const [first] = inOrder;
  const last = inOrder.at(-1);
  if (!first || !last || first.before.seriesId === null) return undefined;
  const old = await selectSeries(trx, first.before.seriesId);
  await endSeriesBefore(trx, first.before.seriesId, first.before.date);
  const until = old.until_date === null ? null : last.wanted.date;
  const moved = addDays(isoDate(old.made_until), daysBetween(first.before.date, first.wanted.date));
  return recordSeries(trx, first.wanted, { until, made: until ?? moved, meeting: old.meeting });
}

/**
 * A booked session without a therapist is shown as Scheduled. So if the form sends back Scheduled, the stored status
 * stays.
 */
async function withStatus(trx: Db, before: DatedAppointment, wanted: Wanted): Promise<Wanted> {
  if (wanted.status !== 'pending' || before.status !== 'booked') return wanted;
  return (await statusShownNow(trx, before)) === 'Scheduled' ? { ...wanted, status: null } : wanted;
}

/** A change that gives a session to another therapist, and nothing else. */
export function changeTo(before: DatedAppointment, therapistId: string | null): Change {
  const { location, date, start, end, clientId, service, subject } = before;
  const wanted = { location, date, start, end, clientId, therapistId, service, subject, status: null };
  return { before, wanted, diff: differences(before, wanted) };
}

type Differences = ReturnType<typeof differences>;

function differences(before: DatedAppointment, wanted: Wanted) {
  const status = wanted.status ?? before.status;
  const time = before.date !== wanted.date || before.start !== wanted.start || before.end !== wanted.end;
  const therapist = before.therapistId !== wanted.therapistId;
  const client = before.clientId !== wanted.clientId;
  const location = before.location !== wanted.location;
  const subject = before.subject !== wanted.subject;
  const changes = { location, time, therapist, client, subject, status: status !== before.status };
  return {
    ...changes,
    /** Whether the session takes up time now but did not before. */
    revived: !before.occupies && takesTime(status),
    /** Whether the session is billed under another code. */
    code: codeOf(before.service, before.subject) !== codeOf(wanted.service, wanted.subject),
    changed: Object.entries(changes).flatMap(([name, differs]) => (differs ? [name] : [])),
  };
}

/**
 * Returns the row to write. An imported appointment may go on overlapping others only while its time, people and
 * location stay the same.
 */
async function fieldsFor(trx: Db, { before, wanted, diff }: Change): Promise<AppointmentFields> {
  const { key } = before;
  const regrouped = diff.subject && isGroup(before) !== isGroup(wanted);
  const newPlace = diff.time || diff.therapist || diff.location || diff.revived || regrouped;
  const newClientPlace = diff.time || diff.client || diff.revived;
  const fresh = await placeOf(trx, key, wanted);
  const place = newPlace ? fresh.place : before.place;
  const client_place = newClientPlace ? key : before.clientPlace;
  const settled = !diff.time && !diff.therapist && !diff.client && !diff.location;
  return {
    location: wanted.location,
    client_id: wanted.clientId,
    therapist_id: wanted.therapistId,
    booked_therapist_id: settled ? before.bookedTherapistId : null,
    service: wanted.service,
    subject: wanted.subject,
    status: wanted.status ?? before.status,
    ...timesOf(wanted),
    place,
    client_place,
    seat: newClientPlace || before.service !== wanted.service ? fresh.seat : before.seat,
    group_key: newPlace ? fresh.group_key : before.groupKey,
    clash: place.startsWith('clash:') || client_place.startsWith('clash:'),
    commit_id: settled ? before.commitId : null,
  };
}

/** Lists the imported double bookings that the appointment is no longer part of. */
export function clashesLeft(
  before: DatedAppointment,
  after: Pick<AppointmentFields, 'place' | 'client_place' | 'status'>,
): string[] {
  const still = takesTime(after.status) ? [after.place, after.client_place] : [];
  return [before.place, before.clientPlace].filter((place) => place.startsWith('clash:') && !still.includes(place));
}

function eventOf(wanted: Wanted, diff: Differences): string {
  if (diff.status && wanted.status === 'cancelled') return 'cancelled';
  if (diff.time) return 'moved';
  return diff.therapist ? 'reassigned' : 'changed';
}
