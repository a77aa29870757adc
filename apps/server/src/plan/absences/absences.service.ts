// This file is over 250 lines because reading, storing and withdrawing absences share how a request names people.
import type { AbsenceQuery, AuditAction, ProcessBody } from '@clinic/contract';
import { formatTime, minutesOf, type Interval, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import { isOnLeave, type Leave } from '../../day/facts/leaves.ts';
import type { WallOf } from '../../day/facts/present.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import { loadPeople, personNamed } from '../../people/people.ts';
import { inTransaction } from '../../db/retry.ts';
import type { Db } from '../../db/connection.ts';
import { mayWorkAt, requireLocation } from '../../access/caller.ts';
import type { Act } from '../../access/act.ts';
import { atEach, auditBy, type ActEntry } from '../../access/audit.ts';
import { refusal } from '../../platform/refusal.ts';
import { exactly, windowOfQuery, type WantedWindow } from './absence-windows.ts';
import {
  selectAbsentPerson,
  selectLastChange,
  selectLocationsOf,
  selectStored,
  type AbsentPerson,
  type PersonOn,
} from './absences.queries.ts';
import { auditLeave, cancelOnLeave, datesToStore, insertLeave, windowOf } from './leave.ts';
import { storeDates, tellDays, type PersonDate } from './store.ts';
import { askBefore, type StoredChange } from './taking-back.ts';
import { newestWithdrawal, undoWithdrawal } from './undo-withdrawal.ts';

/** The maximum number of dates in a request. */
const MOST_DATES = 14;

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
  const { all, leaves } = await withFurtherDates(trx, wallOf, wanted, act);
  const done = await storeDates(trx, wallOf, all, act, { leaves: new Set(leaves.map(({ id }) => id)) });
  const asked = done.filter(({ date }) => dates.includes(date));
  await auditBy(trx, act, ...asked.flatMap((each) => entriesOf(each, 'absence.saved')));
  for (const leave of leaves) {
    await auditLeave(trx, leave, 'leave.recorded', done, act);
    await cancelOnLeave(trx, wallOf, leave, { name: leave.name }, act);
  }
  if (body.take_back !== true) await askBefore(trx, done);
  return dates;
}

/** Records the leaves that the windows of a request begin, and adds their dates to those of the request. */
async function withFurtherDates(trx: Db, wallOf: WallOf, wanted: readonly PersonDate[], act: Act) {
  const all: PersonDate[] = [];
  const leaves: (Leave & { readonly name: string })[] = [];
  for (const { person, date, location, wanted: own } of wanted) {
    const windows: WantedWindow[] = [];
    for (const window of own.windows) {
      const { further, loss } = window;
      if (!further) {
        windows.push(window);
        continue;
      }
      const terms = { first: date, last: further.until, weekdays: further.weekdays, ...window.timeOf([]) };
      const leave = await insertLeave(trx, wallOf, { person, location, terms, loss }, act);
      leaves.push({ ...leave, name: person.displayName });
      if (isOnLeave(leave, date)) windows.push(windowOf(leave));
      all.push(...datesToStore(leave, person, location).filter((each) => each.date !== date));
    }
    all.push({ person, date, location, wanted: { windows, replaces: own.replaces } });
  }
  return { all, leaves };
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
    await auditBy(
      trx,
      act,
      ...atEach([...new Set(days)], {
        action: 'absence.restored',
        subjectKind: person.kind,
        subjectIds: [person.id],
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
export interface PersonNamed {
  readonly location: Location;
  readonly date: IsoDate;
  readonly type: PersonKind;
  readonly name: string;
}

export function findNamed(db: Db, { location, date, type, name }: PersonNamed, act: Act): Promise<AbsentPerson> {
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

/** Stores what has changed (`storeDates`), and audits it at each location whose day changes. */
async function storeAll(
  trx: Db,
  wallOf: WallOf,
  all: readonly PersonDate[],
  act: Act,
  action: AuditAction,
): Promise<StoredChange[]> {
  const done = await storeDates(trx, wallOf, all, act);
  await auditBy(trx, act, ...done.flatMap((each) => entriesOf(each, action)));
  return done;
}

const text = (w: Interval): string => `${formatTime(w.start)}-${formatTime(w.end)}`;

function entriesOf(done: StoredChange, action: AuditAction): ActEntry[] {
  const { person, date, before, after, returned } = done;
  return atEach(done.touched, {
    action,
    subjectKind: person.kind,
    subjectIds: [person.id],
    detail: { date, before: before.map(text), after: after.map(text), returned: returned.length },
  });
}
