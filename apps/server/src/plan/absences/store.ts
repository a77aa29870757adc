// This file is over 250 lines because storing windows, their causes and the sessions that come back share one write.
import { formatTime, subtract, type Interval, type IsoDate, type Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import { recordEvents } from '../../day/appointment-states.ts';
import type { DayAbsence } from '../../day/facts/day.ts';
import { plannedFrom } from '../../day/facts/grid-plan.ts';
import { addExceptions, isOnLeave, selectLeaves, type Leave } from '../../day/facts/leaves.ts';
import { readLoss, writeAbsenceLoss, type AbsenceLossValues } from '../../day/facts/losses.ts';
import { cutAt, isDemoClinic, isOver, type WallOf, type WallPresent } from '../../day/facts/present.ts';
import { bumpDays, type LocationDay } from '../../day/facts/versions.ts';
import { atEach, auditBy } from '../../access/audit.ts';
import type { Act } from '../../access/act.ts';
import { mayWorkAt, requireTouched } from '../../access/caller.ts';
import { isoAt } from '../../platform/clock.ts';
import { publishEvent } from '../../platform/events.ts';
import { refusal } from '../../platform/refusal.ts';
import { lockChangedByAbsence, returnedPlans } from '../problem/returned-time.ts';
import { writeSegments } from '../problem/session-writes.ts';
import {
  continued,
  difference,
  sameTime,
  wantedOf,
  windowsToStore,
  type TargetWindow,
  type WantedWindows,
} from './absence-windows.ts';
import {
  adoptAbsences,
  insertAbsences,
  selectLocationsOf,
  selectOfClient,
  selectStored,
  withdrawAbsences,
  type AbsentPerson,
} from './absences.queries.ts';
import { tellings, type ReturnedSession, type StoredChange } from './taking-back.ts';

/** What a request stores for one person on one date, and which location reports it. */
export interface PersonDate {
  person: AbsentPerson;
  date: IsoDate;
  location: Location;
  wanted: WantedWindows;
}

/** How absences are stored. */
export interface Storing {
  /** The leaves that this act itself changes: what it does to their dates makes no exception. */
  readonly leaves?: ReadonlySet<string>;
  /** Which sessions that submitted changes gave to others stay with them, although the person is back. */
  readonly keepCover?: 'all' | 'told' | 'none';
}

/**
 * Stores what has changed for each person and date, and returns these changes. If the account may not work at another
 * location, refuses to change what that location recorded or submitted. Each location whose day changes gets a new
 * version and an event. Repeating the request changes nothing.
 */
export async function storeDates(
  trx: Db,
  wallOf: WallOf,
  all: readonly PersonDate[],
  act: Act,
  storing: Storing = {},
): Promise<StoredChange[]> {
  await lockAll(
    trx,
    all.map((w) => personDay(w.person.kind, w.person.id, w.date)),
  );
  const before = await selectStored(trx, all);
  const done = await storeWindows(trx, wallOf, all, before, act, storing);
  for (const [i, wanted] of all.entries()) await sayWhy(trx, wallOf, wanted, before[i] ?? [], act);
  const days = done.flatMap(({ touched, date }) => touched.map((location) => ({ location, date })));
  await tellDays(trx, days, act);
  return done;
}

/** Gives each of these days a new version, and sends each location an event. */
export async function tellDays(trx: Db, days: readonly LocationDay[], act: Act): Promise<void> {
  await bumpDays(trx, days);
  for (const location of new Set(days.map((d) => d.location))) {
    const dates = [...new Set(days.filter((d) => d.location === location).map((d) => d.date))].sort();
    await publishEvent(trx, { kind: 'absences', location, dates, by: act.caller.id });
  }
}

/** Stores the windows that have changed; each statement covers all people. */
async function storeWindows(
  trx: Db,
  wallOf: WallOf,
  all: readonly PersonDate[],
  stored: readonly (readonly DayAbsence[])[],
  act: Act,
  { leaves = new Set(), keepCover = 'none' }: Storing,
): Promise<StoredChange[]> {
  const standing = await selectLeaves(
    trx,
    all.map(({ person }) => person),
  );
  const changes = all.flatMap(({ person, date, location, wanted }, i) => {
    const before = stored[i] ?? [];
    const own = standing.filter(({ kind, personId }) => kind === person.kind && personId === person.id);
    const after = withLeaves(windowsToStore(before, wanted), before, own, date);
    const { gone, added } = difference(before, after, location);
    const adopted = adoptions(before, after);
    if (gone.length === 0 && added.length === 0 && adopted.length === 0) return [];
    const now = wallOf(location);
    const windows = added.map((each) => {
      const was = continued(each, gone);
      const mark = each.from?.leave;
      return { ...each, leave: mark?.id ?? was?.leave?.id ?? null, loss: mark?.loss ?? lossOf(was, now) };
    });
    return [{ person, date, location, before, after, gone, windows, adopted }];
  });
  const at = isoAt(act.at);
  const gone = changes.flatMap((each) => each.gone.map(({ id, leave }) => ({ id, leave: leave?.id, date: each.date })));
  await withdrawAbsences(
    trx,
    gone.map(({ id }) => id),
    act.caller.id,
    at,
  );
  await addExceptions(
    trx,
    gone.flatMap(({ leave, date }) => (leave === undefined || leaves.has(leave) ? [] : { leave, date })),
  );
  await adoptAbsences(
    trx,
    changes.flatMap(({ adopted }) => adopted),
  );
  await insertAbsences(trx, changes, act.caller.id, at);
  const isDemo = await isDemoClinic(trx);
  const done: StoredChange[] = [];
  for (const { gone, windows: _, adopted: __, ...change } of changes) {
    const { person, date, location, before, after } = change;
    const freed = keepCover === 'all' ? [] : subtract(before, after);
    const keepTold = keepCover === 'told';
    const returned = await bringBack(trx, { wall: wallOf(location), isDemo, keepTold }, person, date, freed, act, at);
    const changed = [...gone.map((g) => g.location), ...returned.map((r) => r.location)];
    requireTouched(act.caller, changed, (places) =>
      refusal('absence-reaches-elsewhere', places, person.displayName, date),
    );
    done.push({ ...change, returned, touched: [location, person.location, ...changed] });
  }
  const places = await selectLocationsOf(trx, done);
  return done.map((each, i) => ({ ...each, touched: [...new Set([...each.touched, ...(places[i] ?? [])])] }));
}

/**
 * The windows to store, and what of the person's leaves they no longer cover: of two absences at the same time, the
 * later one has the time that the other one gives up. A leave whose own window is changed here gives nothing.
 */
function withLeaves(
  target: readonly TargetWindow[],
  before: readonly DayAbsence[],
  leaves: readonly Leave[],
  date: IsoDate,
): TargetWindow[] {
  const gone = before.filter((each) => !target.some((window) => sameTime(window, each)));
  const all = [...target];
  for (const leave of gone.length === 0 ? [] : leaves) {
    const isOwn = gone.some((each) => each.leave?.id === leave.id);
    if (isOwn || date > leave.madeUntil || leave.exceptions.includes(date) || !isOnLeave(leave, date)) continue;
    const window = { start: leave.start, end: leave.end };
    const from = { timeOf: () => window, leave: { id: leave.id, loss: leave.loss } };
    for (const part of subtract([window], all)) all.push({ ...part, from });
  }
  return all.sort((a, b) => a.start - b.start);
}

/** The stored windows that from now on belong to a leave, since it has exactly their time. */
const adoptions = (before: readonly DayAbsence[], after: readonly TargetWindow[]) =>
  after.flatMap((window) => {
    const same = before.find((each) => sameTime(each, window));
    const leave = window.from?.leave;
    return same && leave && same.leave?.id !== leave.id ? [{ id: same.id, leave }] : [];
  });

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
    const entry = { action: 'cause.said', ...said } as const;
    await auditBy(trx, act, ...atEach(shown, entry));
  }
}

/**
 * Reopens the sessions that a commit changed because of this person's absence, for the time when the person is back.
 * @returns each session that was reopened, in part or as a whole, as it was before
 */
async function bringBack(
  trx: Db,
  { wall, isDemo, keepTold }: { readonly wall: WallPresent; readonly isDemo: boolean; readonly keepTold: boolean },
  person: AbsentPerson,
  date: IsoDate,
  freed: Interval[],
  act: Act,
  at: string,
): Promise<ReturnedSession[]> {
  const cut = cutAt(wall, isDemo);
  if (freed.length === 0 || isOver(date, wall, cut)) return [];
  const now = cut(date);
  const ahead = subtract(freed, [{ start: 0, end: plannedFrom(now) }]);
  const changed = (await lockChangedByAbsence(trx, person, date)).map((row) => ({ ...row, date }));
  const told = keepTold ? (await tellings(trx, changed)).told : new Map<unknown, unknown>();
  const rows = changed.filter((row) => !told.has(row));
  if (rows.length === 0) return [];
  const blocked = person.kind === 'client' ? await selectOfClient(trx, person.id, date) : [];
  const plans = returnedPlans(rows, person, ahead, blocked);
  const changes = await writeSegments(trx, date, plans, null);
  await recordEvents(trx, changes, { accountId: act.caller.id, commitId: null, at });
  return plans.map(({ row: { location, commitId, therapistId, clientId } }) => {
    return { location, commitId, therapistId, clientId };
  });
}
