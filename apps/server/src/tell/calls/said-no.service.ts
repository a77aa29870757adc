import type { CallNo } from '@clinic/contract';
import { intersect, parseTime, sayTime, subtract, union, type Interval } from '@clinic/domain';
import { rootOf } from '../../day/facts/day.ts';
import { outward } from '../../day/facts/grid-plan.ts';
import type { WallOf } from '../../day/facts/present.ts';
import { bumpDays, type LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import type { DeclinedTime } from '../../db/schema/calls.ts';
import type { Act } from '../../access/act.ts';
import { publishEvent } from '../../platform/events.ts';
import { refusal } from '../../platform/refusal.ts';
import { changeAbsence } from '../../plan/absences/absences.service.ts';
import { endDecline, endDeclines, hasEnded, insertDecline, selectAwayByNo } from './decline.queries.ts';
import type { Line, LineSession } from '../lines/line.ts';

/**
 * Stores a therapist's no so that it holds for every later plan of the date: the sessions need cover, and the therapist
 * is not asked to take them again. If the therapist was asked only about a part of a session and keeps the rest, the
 * therapist counts as away for that part, and only that part needs cover. Refuses sessions that are not on the line.
 */
export async function keepNo(
  trx: Db,
  wallOf: WallOf,
  on: LocationDay,
  line: Line,
  { no, answerId }: { no: CallNo; answerId: string | null },
  act: Act,
): Promise<void> {
  const base = { ...on, wallMinute: wallOf(on.location).minutes, answerId, act };
  if ((no.scope === 'but') !== (line.kind === 'client')) throw refusal('no-to-nothing', line.name);
  if (no.scope === 'but') {
    const theirs = line.sessions.filter((s) => s.therapistId === no.therapist);
    if (theirs.length === 0) throw refusal('no-to-nothing', line.name);
    const refused = { therapistId: no.therapist, clientId: line.id, scope: 'session' as const, ...saidTo(theirs) };
    await insertDecline(trx, { ...base, ...refused });
  } else if (no.scope === 'until') {
    await keepAway(trx, wallOf, line, parseTime(no.until) ?? 0, base);
  } else {
    const keys = no.scope === 'session' ? no.sessions : undefined;
    const chosen = line.sessions.filter((s) => keys?.includes(s.key) ?? true);
    const given = line.sessions.filter((s) => chosen.some((each) => each.roots.includes(rootOf(s))));
    if (chosen.length === 0 || (keys && chosen.length < keys.length)) throw refusal('no-to-nothing', line.name);
    const whole = given.filter(({ parts }) => parts === null);
    if (whole.length > 0 || no.scope === 'today')
      await insertDecline(trx, { ...base, therapistId: line.id, scope: no.scope, ...saidTo(whole) });
    const parts = given.flatMap((s) => timesOf(s.clientId, s.parts ?? []));
    if (parts.length > 0) {
      const away = await addAbsence(trx, wallOf, line, parts.map(outward), base);
      const refused = { therapistId: line.id, scope: 'session' as const, sessions: [], saidTo: parts };
      await insertDecline(trx, { ...base, ...refused, away });
    }
  }
  await changedDay(trx, on, act);
}

const rootsOf = (sessions: readonly LineSession[]): string[] => [...new Set(sessions.flatMap(({ roots }) => roots))];

const timesOf = (client: string | null, windows: readonly Interval[]): DeclinedTime[] =>
  windows.map(({ start, end }) => ({ client, start, end }));

/** Returns what a person said no to: the keys of the whole sessions, and the times that the line gives for them. */
const saidTo = (sessions: readonly LineSession[]): { sessions: string[]; saidTo: DeclinedTime[] } => ({
  sessions: rootsOf(sessions),
  saidTo: sessions.flatMap((session) => timesOf(session.clientId, [session])),
});

/**
 * Stores an absence for a therapist who cannot come until a certain time. The absence begins with the line's first
 * minute, rounded down to the grid.
 */
async function keepAway(
  trx: Db,
  wallOf: WallOf,
  line: Line,
  until: number,
  base: LocationDay & { wallMinute: number; answerId: string | null; act: Act },
): Promise<void> {
  const { start } = outward({ start: line.first, end: line.first });
  if (until <= start) throw refusal('no-until-too-early', line.name, sayTime(line.first));
  // Someone who cannot come before a second, later time cannot come in the time of the first no either.
  const known = union(await selectAwayByNo(trx, base.date, line.id)).find((no) => no.start < start && start <= no.end);
  const away = await addAbsence(trx, wallOf, line, [{ start: known?.start ?? start, end: until }], base);
  await insertDecline(trx, { ...base, therapistId: line.id, scope: 'until', ...saidTo([]), until, away });
}

/**
 * Adds windows to a therapist's absence. Returns the time that is away only because of a no: the time that the stored
 * absence did not include, and the time in these windows that another no added.
 */
async function addAbsence(
  trx: Db,
  wallOf: WallOf,
  line: Line,
  windows: readonly Interval[],
  { location, date, act }: LocationDay & { act: Act },
): Promise<Interval[]> {
  const wanted = { location, date, person: { kind: 'therapist' as const, id: line.id } };
  // What is recorded already stays as it is, each window with its own cause.
  const add = (stored: readonly Interval[]): Interval[] => [...stored, ...subtract(windows, stored)];
  const { before, after } = await changeAbsence(trx, wallOf, wanted, add, act);
  const byOthers = await selectAwayByNo(trx, date, line.id);
  const shared = windows.flatMap((window) => byOthers.flatMap((other) => intersect(window, other) ?? []));
  return union([...subtract(after, before), ...shared]);
}

/** Ends a therapist's declines of these sessions, because they have said yes after all. */
export async function endBySayingYes(trx: Db, on: LocationDay, line: Line, act: Act): Promise<void> {
  if (line.kind === 'client') return;
  const ended = await endDeclines(trx, { ...on, therapistId: line.id, sessions: rootsOf(line.sessions) }, act);
  if (ended > 0) await changedDay(trx, on, act);
}

/**
 * Takes back a no, and the absence that came with it, except where another no still stands. Without `takeBack`, refuses
 * (409) if ending the absence would take sessions from other therapists.
 * @returns the therapist's id; null if the same account has taken the no back before, and then nothing changes
 */
export async function takeBackDecline(
  trx: Db,
  wallOf: WallOf,
  on: LocationDay,
  { id, takeBack }: { id: string; takeBack: boolean },
  act: Act,
): Promise<string | null> {
  const decline = await endDecline(trx, on, id, act);
  if (!decline) {
    if (await hasEnded(trx, on, id, act.caller.id)) return null;
    throw refusal('no-such-no');
  }
  const { therapistId, away } = decline;
  // When two noes are taken back at the same moment, the later one sees that the other has ended.
  if (away.length > 0) await lockAll(trx, [personDay('therapist', therapistId, on.date)]);
  const added = away.length > 0 ? subtract(away, await selectAwayByNo(trx, on.date, therapistId)) : [];
  if (added.length > 0) {
    const wanted = { ...on, person: { kind: 'therapist' as const, id: therapistId } };
    const without = (stored: readonly Interval[]) => stored.flatMap((each) => subtract([each], added));
    await changeAbsence(trx, wallOf, wanted, without, act, takeBack);
  }
  await changedDay(trx, on, act);
  return therapistId;
}

/** Marks earlier options as outdated, and lets other pages show what needs cover. */
export async function changedDay(trx: Db, on: LocationDay, act: Act): Promise<void> {
  await bumpDays(trx, [on]);
  await publishEvent(trx, { kind: 'absences', location: on.location, dates: [on.date], by: act.caller.id });
}
