// This file is over 250 lines because storing, changing and withdrawing absences share their locks and confirmations.
import type { AbsenceQuery, AuditAction, ProcessBody } from '@clinic/contract';
import {
  formatTime,
  minutesOf,
  subtract,
  type Interval,
  type IsoDate,
  type Location,
  type PersonKind,
} from '@clinic/domain';
import type { DayAbsence } from '../../day/facts/day.ts';
import { plannedFrom } from '../../day/facts/grid-plan.ts';
import { readLoss, writeAbsenceLoss, type AbsenceLossValues } from '../../day/facts/losses.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import { loadPeople, personNamed } from '../../people/people.ts';
import { cutOf, type WallPresent, type WallOf } from '../../day/facts/present.ts';
import { inTransaction } from '../../db/retry.ts';
import { isoAt } from '../../platform/clock.ts';
import { lockChangedByAbsence, returnedPlans } from '../problem/returned-time.ts';
import { recordEvents } from '../../day/appointment-states.ts';
import { writeSegments } from '../problem/session-writes.ts';
import { bumpDays, type LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { mayWorkAt, requireLocation, requireTouched } from '../../access/caller.ts';
import type { Act } from '../../access/act.ts';
import { atEach, audit, type AuditEntry } from '../../access/audit.ts';
import { refusal } from '../../platform/refusal.ts';
import { publishEvent } from '../../platform/events.ts';
import {
  continued,
  difference,
  exactly,
  wantedOf,
  windowOfQuery,
  windowsToStore,
  type WantedWindow,
  type WantedWindows,
} from './absence-windows.ts';
import {
  insertAbsences,
  selectAbsentPerson,
  selectLastChange,
  selectLocationsOf,
  selectOfClient,
  selectStored,
  withdrawAbsences,
  type AbsentPerson,
  type PersonOn,
} from './absences.queries.ts';
import { askBefore, type ReturnedSession, type StoredChange } from './taking-back.ts';
import { newestWithdrawal, undoWithdrawal } from './undo-withdrawal.ts';

/** The maximum number of dates in a request. */
const MOST_DATES = 14;

/** What a request stores for one person on one date, and which location reports it. */
export interface PersonDate {
  person: AbsentPerson;
  date: IsoDate;
  location: Location;
  wanted: WantedWindows;
}

/**
 * Stores all absences of a request or none, and returns the request's dates in order. Without `take_back`, refuses to
 * undo part of a commit.
 */
export async function saveAbsences(db: Db, wallOf: WallOf, body: ProcessBody, act: Act): Promise<IsoDate[]> {
  return inTransaction(db, (trx) => storeAbsences(trx, wallOf, body, act));
}

/** Stores absences like `saveAbsences`, but within the caller's transaction. */
export async function storeAbsences(trx: Db, wallOf: WallOf, body: ProcessBody, act: Act): Promise<IsoDate[]> {
  const { dates, wanted } = await readBody(trx, body, act);
  const done = await storeAll(trx, wallOf, wanted, act, 'absence.saved');
  if (body.take_back !== true) await askBefore(trx, done);
  return dates;
}

/**
 * Withdraws everything stored for a person on a date, or with `id` only that window. Refuses unknown names and people
 * who are not away then, except for a repeat. Without `takeBack`, also refuses to undo part of a commit.
 * @returns when the withdrawal was made (ISO 8601), which names it for an undo; null if it cannot be undone
 */
export async function withdraw(
  db: Db,
  wallOf: WallOf,
  input: PersonNamed & { id?: string | undefined; takeBack: boolean },
  act: Act,
): Promise<string | null> {
  const { date, location, id } = input;
  const person = await findNamed(db, input, act);
  return inTransaction(db, async (trx) => {
    await lockAll(trx, [personDay(person.kind, person.id, date)]);
    const stored = (await selectStored(trx, [{ person, date }])).flat();
    const windows = stored.filter((each) => id !== undefined && each.id !== id).map(exactly);
    const wanted: PersonDate = { person, date, location, wanted: { windows, replaces: true } };
    const done = await storeAll(trx, wallOf, [wanted], act, 'absence.withdrawn');
    if (done.length === 0 && !(await isRepeat(trx, { person, date }, 'absence.withdrawn', act)))
      throw refusal('not-absent', person.displayName, date);
    if (!input.takeBack) await askBefore(trx, done);
    return newestWithdrawal(trx, { person, date, location });
  });
}

/**
 * Undoes the newest withdrawal of a person's absence on a date: the person is away again, and the sessions go back to
 * the therapists who covered them. Refuses when later changes depend on the withdrawal, or when it is not the one that
 * was named (`which`). A repeat changes nothing.
 */
export async function restoreWithdrawn(
  db: Db,
  wallOf: WallOf,
  input: PersonNamed & { readonly which: string | undefined },
  act: Act,
): Promise<void> {
  const { date, location } = input;
  const person = await findNamed(db, input, act);
  await inTransaction(db, async (trx) => {
    await lockAll(trx, [personDay(person.kind, person.id, date)]);
    const undone = await undoWithdrawal(trx, wallOf, { person, date, location }, input.which, act);
    if (!undone) {
      if (await isRepeat(trx, { person, date }, 'absence.restored', act)) return;
      throw refusal('nothing-withdrawn', person.displayName, date);
    }
    const { locations } = undone;
    const days = [...locations, ...(await selectLocationsOf(trx, [{ person, date }])).flat()];
    await tellDays(
      trx,
      [...new Set(days)].map((at) => ({ location: at, date })),
      act,
    );
    await audit(
      trx,
      act.at,
      ...atEach([...new Set(days)], {
        action: 'absence.restored',
        subjectKind: person.kind,
        subjectIds: [person.id],
        accountId: act.caller.id,
        requestId: act.requestId,
        detail: { date },
      }),
    );
  });
}

/**
 * Changes what is stored for a person (by id) on a date, within the caller's transaction. Without `takeBack`, refuses
 * to undo part of a commit.
 */
export async function changeAbsence(
  trx: Db,
  wallOf: WallOf,
  { location, date, person }: { location: Location; date: IsoDate; person: Pick<AbsentPerson, 'kind' | 'id'> },
  change: (stored: readonly Interval[]) => readonly Interval[],
  act: Act,
  takeBack = false,
): Promise<{ before: readonly Interval[]; after: readonly Interval[] }> {
  await lockAll(trx, [personDay(person.kind, person.id, date)]);
  const found = await selectAbsentPerson(trx, person);
  if (!found) throw refusal('refers-to-missing');
  const stored = (await selectStored(trx, [{ person: found, date }])).flat();
  const windows = change(stored);
  const wanted: PersonDate = {
    person: found,
    date,
    location,
    wanted: { windows: windows.map(exactly), replaces: true },
  };
  const action = minutesOf(windows) < minutesOf(stored) ? 'absence.withdrawn' : 'absence.saved';
  const done = await storeAll(trx, wallOf, [wanted], act, action);
  if (!takeBack) await askBefore(trx, done);
  return { before: stored, after: done[0]?.after ?? stored };
}

/**
 * Whether this account was the last to change the person's absence on the date, and did just this. The request may then
 * be a repeat whose first reply was lost.
 */
async function isRepeat(trx: Db, on: PersonOn, action: AuditAction, act: Act): Promise<boolean> {
  const last = await selectLastChange(trx, on);
  return last?.action === action && last.account_id === act.caller.id;
}

/** A person on a date, as a request names them. */
interface PersonNamed {
  readonly location: Location;
  readonly date: IsoDate;
  readonly type: PersonKind;
  readonly name: string;
}

function findNamed(db: Db, { location, date, type, name }: PersonNamed, act: Act): Promise<AbsentPerson> {
  return peopleFinder(db, act)(type, name, location, date);
}

/** Finds people by name, reading the people of each location and date only once. */
function peopleFinder(db: Db, act: Act) {
  const lists = new Map<string, ReturnType<typeof loadPeople>>();
  return async (kind: PersonKind, name: string, location: Location, date: IsoDate): Promise<AbsentPerson> => {
    const key = JSON.stringify([kind, location, date]);
    // An account must not learn who is at a location that it may not see.
    const list = lists.get(key) ?? loadPeople(db, kind, { location, date }, (at) => mayWorkAt(act.caller, at));
    lists.set(key, list);
    const person = personNamed(await list, kind, name, location);
    return { kind, id: person.id, displayName: person.displayName, location: person.location };
  };
}

/** Reads a request: its dates in order, and the absences that it wants for each person and date. */
async function readBody(
  db: Db,
  body: Pick<ProcessBody, 'location' | 'queries'>,
  act: Act,
): Promise<{ dates: IsoDate[]; wanted: PersonDate[] }> {
  for (const query of body.queries) requireLocation(act.caller, query.location);
  const dates = [...new Set(body.queries.map((q) => q.date))].sort();
  if (dates.length > MOST_DATES) throw refusal('too-many-dates', dates.length, MOST_DATES);
  return { dates, wanted: await readQueries(db, body.queries, act) };
}

async function readQueries(db: Db, queries: readonly AbsenceQuery[], act: Act): Promise<PersonDate[]> {
  const personOf = peopleFinder(db, act);
  const byPersonDate = new Map<string, PersonDate & { wanted: { windows: WantedWindow[]; replaces: boolean } }>();
  for (const query of queries) {
    const [kind, name] =
      query.type === 'therapist_cancel'
        ? (['therapist', query.therapist] as const)
        : (['client', query.client] as const);
    const date = query.date;
    const person = await personOf(kind, name, query.location, date);
    const key = personDay(kind, person.id, date);
    const entry = byPersonDate.get(key) ?? {
      person,
      date,
      location: query.location,
      wanted: { windows: [], replaces: false },
    };
    entry.wanted.windows.push(windowOfQuery(query, person.displayName));
    entry.wanted.replaces ||= query.replaces === true;
    byPersonDate.set(key, entry);
  }
  return [...byPersonDate.values()];
}

/**
 * Stores what has changed for each person and date, and returns these changes. If the account may not work at another
 * location, refuses to change what that location recorded or submitted. Each location whose day changes gets a new
 * version, an event and an audit entry. Repeating the request changes nothing.
 */
async function storeAll(
  trx: Db,
  wallOf: WallOf,
  all: readonly PersonDate[],
  act: Act,
  action: AuditAction,
): Promise<StoredChange[]> {
  await lockAll(
    trx,
    all.map((w) => personDay(w.person.kind, w.person.id, w.date)),
  );
  const before = await selectStored(trx, all);
  const done = await storeWindows(trx, wallOf, all, before, act);
  for (const [i, wanted] of all.entries()) await sayWhy(trx, wallOf, wanted, before[i] ?? [], act);
  if (done.length === 0) return [];
  const days = done.flatMap(({ touched, date }) => touched.map((location) => ({ location, date })));
  await tellDays(trx, days, act);
  await audit(trx, act.at, ...done.flatMap((each) => entriesOf(each, act, action)));
  return done;
}

/** Gives each of these days a new version, and sends each location an event. */
async function tellDays(trx: Db, days: readonly LocationDay[], act: Act): Promise<void> {
  await bumpDays(trx, days);
  for (const location of new Set(days.map((d) => d.location))) {
    const dates = [...new Set(days.filter((d) => d.location === location).map((d) => d.date))].sort();
    await publishEvent(trx, { kind: 'absences', location, dates, by: act.caller.id });
  }
}

const text = (w: Interval): string => `${formatTime(w.start)}-${formatTime(w.end)}`;

function entriesOf(done: StoredChange, act: Act, action: AuditAction): AuditEntry[] {
  const { person, date, before, after, returned } = done;
  return atEach(done.touched, {
    action,
    subjectKind: person.kind,
    subjectIds: [person.id],
    accountId: act.caller.id,
    requestId: act.requestId,
    detail: { date, before: before.map(text), after: after.map(text), returned: returned.length },
  });
}

/** Stores the windows that have changed; each statement covers all people. */
async function storeWindows(
  trx: Db,
  wallOf: WallOf,
  all: readonly PersonDate[],
  stored: readonly (readonly DayAbsence[])[],
  act: Act,
): Promise<StoredChange[]> {
  const changes = all.flatMap(({ person, date, location, wanted }, i) => {
    const before = stored[i] ?? [];
    const after = windowsToStore(before, wanted);
    const { gone, added } = difference(before, after, location);
    if (gone.length === 0 && added.length === 0) return [];
    const now = wallOf(location);
    const windows = added.map((each) => ({ ...each, loss: lossOf(continued(each, gone), now) }));
    return [{ person, date, location, before, after, gone, windows }];
  });
  const at = isoAt(act.at);
  const gone = changes.flatMap((each) => each.gone.map(({ id }) => id));
  await withdrawAbsences(trx, gone, act.caller.id, at);
  await insertAbsences(trx, changes, act.caller.id, at);
  const done: StoredChange[] = [];
  for (const { gone, windows: _, ...change } of changes) {
    const { person, date, location, before, after } = change;
    const returned = await bringBack(trx, wallOf(location), person, date, subtract(before, after), act, at);
    const changed = [...gone.map((g) => g.location), ...returned.map((r) => r.location)];
    requireTouched(act.caller, changed, (places) =>
      refusal('absence-reaches-elsewhere', places, person.displayName, date),
    );
    done.push({ ...change, returned, touched: [location, person.location, ...changed] });
  }
  const places = await selectLocationsOf(trx, done);
  return done.map((each, i) => ({ ...each, touched: [...new Set([...each.touched, ...(places[i] ?? [])])] }));
}

/** The loss to record for a new window: that of the window that it continues, or else a loss that became known now. */
const lossOf = (continues: DayAbsence | undefined, now: WallPresent): AbsenceLossValues => ({
  lost_by: continues?.loss?.saidBy ?? null,
  cause_id: continues?.loss?.cause ?? null,
  known_at: continues?.loss?.known ?? `${now.date} ${formatTime(now.minutes)}:00`,
  untold: continues?.untold ?? null,
});

/**
 * Records the causes that a request gives, each for its own window, where the account may work. Of a stored
 * window that has a cause, a request that only adds says at most whether the person knows of it. Tells open pages to reload the day, and audits at each location whose
 * day shows the cause who recorded it.
 */
async function sayWhy(
  trx: Db,
  wallOf: WallOf,
  { person, date, location, wanted }: PersonDate,
  before: readonly DayAbsence[],
  act: Act,
): Promise<void> {
  if (wanted.windows.every(({ loss }) => loss === undefined)) return;
  const all = (await selectStored(trx, [{ person, date }])).flat();
  for (const each of all) {
    const loss = wantedOf(each, wanted, before)?.loss;
    if (loss === undefined || !mayWorkAt(act.caller, each.location)) continue;
    const adds = !wanted.replaces && before.some(({ id }) => id === each.id);
    const values =
      adds && (each.loss?.cause != null || loss.cause === null)
        ? { lost_by: each.loss?.saidBy ?? null, cause_id: each.loss?.cause ?? null, known_at: each.loss?.known ?? null }
        : await readLoss(trx, loss, wallOf(location), each.loss?.known ?? null);
    if ((await writeAbsenceLoss(trx, [each.id], values, loss.untold)) === 0) continue;
    const places = (await selectLocationsOf(trx, [{ person, date }])).flat();
    const shown = [...new Set([location, each.location, ...places])];
    for (const at of shown)
      await publishEvent(trx, { kind: 'absences', location: at, dates: [date], by: act.caller.id });
    const said = { subjectKind: person.kind, subjectIds: [person.id], detail: { date, cause: loss.cause } };
    const entry = { action: 'cause.said', ...said, accountId: act.caller.id, requestId: act.requestId } as const;
    await audit(trx, act.at, ...atEach(shown, entry));
  }
}

/**
 * Reopens the sessions that a commit changed because of this person's absence, for the time when the person is back.
 * @returns each session that was reopened, in part or as a whole, as it was before
 */
async function bringBack(
  trx: Db,
  wall: WallPresent,
  person: AbsentPerson,
  date: IsoDate,
  freed: Interval[],
  act: Act,
  at: string,
): Promise<ReturnedSession[]> {
  if (freed.length === 0) return [];
  const now = (await cutOf(trx, wall))(date);
  const ahead = subtract(freed, [{ start: 0, end: plannedFrom(now) }]);
  const rows = await lockChangedByAbsence(trx, person, date);
  if (rows.length === 0) return [];
  const blocked = person.kind === 'client' ? await selectOfClient(trx, person.id, date) : [];
  const plans = returnedPlans(rows, person, ahead, blocked);
  const changes = await writeSegments(trx, date, plans, null);
  await recordEvents(trx, changes, { accountId: act.caller.id, commitId: null, at });
  return plans.map(({ row: { location, commitId, therapistId, clientId } }) => {
    return { location, commitId, therapistId, clientId };
  });
}
