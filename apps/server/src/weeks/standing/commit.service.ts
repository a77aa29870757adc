// This file is over 250 lines because it puts a replacement on the calendar, step by step.
/**
 * Writes a standing replacement to the calendar: all dates in one transaction. It locks the people's days and weeks,
 * loads the range again, checks every chosen date with the engine's rules, writes, and stores the reply.
 */
import { randomUUID } from 'node:crypto';
import type { Conflict, Join, StandingCommit } from '@clinic/contract';
import { checkGiven, type BrokenDate } from '@clinic/weeks-engine';
import { groupBy, isoDate, locationLabel, possessive, shortDate, timeSlot } from '@clinic/domain';
import type { Act } from '../../access/act.ts';
import { requireLocation } from '../../access/caller.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay, therapistWeek } from '../../db/locks.ts';
import { inTransaction } from '../../db/retry.ts';
import { timestampOf } from '../../db/wall-time.ts';
import { recordEvents, type AppointmentChange } from '../../day/appointment-states.ts';
import { selectCommit, type HandedSeries } from '../../day/commits.ts';
import type { WallOf, WallPresent } from '../../day/facts/present.ts';
import { bumpDays } from '../../day/facts/versions.ts';
import { selectNames } from '../../people/people.ts';
import { hashOf } from '../../plan/commits/choice.ts';
import { auditCommit, auditCommitRead } from '../../plan/commits/commit-record.ts';
import { insertCommit, standingCommit, type StoredReply } from '../../plan/commits/commits.queries.ts';
import { asConflict } from '../../plan/commits/double-booking.ts';
import { giveSeries, selectOngoing } from '../../plan/commits/handed-series.ts';
import type { CountedReply } from '../../plan/commits/report.ts';
import { makeWorkbook } from '../../plan/commits/workbook.ts';
import { writeSegments } from '../../plan/problem/session-writes.ts';
import { isoAt } from '../../platform/clock.ts';
import { publishEvent } from '../../platform/events.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { loadStanding, type LoadedStanding } from '../problem/load-standing.ts';
import { whyNot } from '../problem/standing-problem.ts';
import { membersOf, takenBy, type Choice, type Taken } from './choice.ts';
import { locksOfJoins, writeJoins } from './joins.ts';
import { loadStored, type StoredStanding } from './stored-standing.ts';

interface Asked {
  readonly proposal: string;
  readonly choice: Choice;
  /** The meetings before the leave that are booked with it. */
  readonly meetings?: readonly Join[] | undefined;
}

/**
 * Commits a choice exactly once: the proposal and the choice identify the request. A choice that no longer fits is a
 * conflict, which says why, and nothing is written.
 */
export async function commitStanding(
  db: Db,
  wallOf: WallOf,
  { proposal, choice, meetings = [] }: Asked,
  act: Act,
): Promise<StandingCommit> {
  const stored = await loadStored(db, proposal);
  if (!stored) throw refusal('options-unknown');
  requireLocation(act.caller, stored.reply.location);
  const taken = takenBy(stored, choice);
  const wall = wallOf(stored.reply.location);
  try {
    return await inTransaction(db, (trx) => commitLocked(trx, wall, stored, { choice, meetings, taken }, act));
  } catch (error) {
    throw await asConflict(db, error);
  }
}

async function commitLocked(
  trx: Db,
  wall: WallPresent,
  stored: StoredStanding,
  { choice, meetings, taken }: Pick<Asked, 'choice'> & { meetings: readonly Join[]; taken: readonly Taken[] },
  act: Act,
): Promise<StandingCommit> {
  const { proposal, location } = stored.reply;
  await lockAll(trx, [`proposal:${proposal}`, ...locksOf(stored, taken), ...locksOfJoins(meetings)]);
  const choiceKey = hashOf(meetings.length === 0 ? choice : { choice, meetings });
  const standing = await standingCommit(trx, proposal);
  if (standing && standing.choiceKey !== choiceKey) throw new Refusal('already-committed');
  if (standing) {
    await auditCommitRead(trx, act, standing.commit, location);
    return shownAs(standing, (await selectCommit(trx, standing.commit))?.summary.meetings ?? 0);
  }
  const loaded = await loadStanding(trx, location, stored.away, wall, stored.replan);
  const conflicts = conflictsOf(stored, loaded, taken);
  if (conflicts.length > 0) throw new Refusal('conflict', { conflicts });
  const id = randomUUID();
  const given = await writeAll(trx, stored, loaded, taken, id);
  const joined = await writeJoins(trx, wall, stored, { choice, meetings, taken }, id);
  const changes = [...given, ...joined];
  const handed = stored.reply.for_good ? await handedBy(trx, loaded, taken) : [];
  await giveSeries(trx, handed);
  const reply = await reportOf(trx, stored, given, id);
  const dates = [...new Set([...joined.map((each) => isoDate(each.date)), ...taken.map(({ date }) => date)])];
  const at = isoAt(act.at);
  await insertCommit(trx, {
    id,
    proposal,
    revision: 1,
    location,
    sentLocation: null,
    choice,
    choiceKey,
    changes,
    summary: {
      dates,
      clients: stored.reply.children.filter((child) => child.id in choice).map(({ name }) => name),
      option: new Set(Object.values(choice)).size === 1 ? (taken[0]?.option ?? '') : 'Mixed',
      sessions: reply.figures.sessions,
      changes: reply.figures.changes,
      minutesNeeded: reply.figures.minutes_needed,
      minutesKept: reply.figures.minutes_kept,
      minutesUncovered: reply.figures.minutes_uncovered,
      people: reply.figures.people,
      ...(joined.length > 0 ? { meetings: joined.length } : {}),
      wall: timestampOf(wall.date, wall.minutes),
      ...(handed.length > 0 ? { handed } : {}),
    },
    reply,
    workbook: await makeWorkbook(reply),
    accountId: act.caller.id,
    at,
  });
  await recordEvents(trx, changes, { accountId: act.caller.id, commitId: id, at });
  const days = dates.map((date) => ({ location, date }));
  await bumpDays(trx, days);
  await publishEvent(trx, { kind: 'commit', location, dates, by: act.caller.id });
  const detail = { proposal, dates: [dates[0], dates.at(-1)] };
  await auditCommit(trx, act, { action: 'schedule.committed', commit: id, days, changes, detail });
  return shownAs({ commit: id, location, choiceKey, reply, workbook: Buffer.alloc(0) }, joined.length);
}

/** The series that go on, and who gets them: whoever takes their last date so far. */
async function handedBy(trx: Db, { series }: LoadedStanding, taken: readonly Taken[]): Promise<HandedSeries[]> {
  const last = new Map<string, string>();
  for (const { id, rows } of series) {
    const date = Object.keys(rows).sort().at(-1);
    const to = taken.find((each) => each.series === id && each.date === date)?.therapist;
    if (date === undefined || to === undefined) continue;
    for (const { seriesId } of rows[date] ?? []) if (seriesId !== null) last.set(seriesId, to);
  }
  const ongoing = await selectOngoing(trx, [...last.keys()]);
  return ongoing.map(({ id, therapist_id: from }) => ({ series: id, from, to: last.get(id) ?? '' }));
}

/** The locks on the days of everyone whose time changes, and on the weeks of those who gain time. */
function locksOf({ reply, away }: StoredStanding, taken: readonly Taken[]): string[] {
  const clients = new Map(reply.children.flatMap((child) => child.series.map(({ id }) => [id, membersOf(child.id)])));
  return taken.flatMap(({ series, date, therapist }) => [
    personDay('therapist', away.therapist, date),
    personDay('therapist', therapist, date),
    therapistWeek(therapist, date),
    ...(clients.get(series) ?? []).map((id) => personDay('client', id, date)),
  ]);
}

/** What keeps the chosen dates from being written, now that the range was loaded again. */
function conflictsOf(stored: StoredStanding, loaded: LoadedStanding, taken: readonly Taken[]): Conflict[] {
  const { reply } = stored;
  const own = new Map(loaded.series.map((each) => [each.id, each]));
  const children = new Map(reply.children.flatMap((child) => child.series.map((each) => [each.id, { child, each }])));
  const say = ({ series, date, therapist, option }: Taken, why: string): Conflict => {
    const { child, each } = children.get(series) ?? {};
    return {
      date,
      time: each ? timeSlot(each.start, each.end) : '',
      therapist: reply.people[therapist]?.name ?? '',
      client: child?.name ?? '',
      option,
      why,
    };
  };
  const changed = taken.filter(({ series, date, keys }) => {
    const rows = own.get(series)?.rows[date];
    return rows?.map(({ key }) => key).join() !== keys.join();
  });
  if (changed.length > 0)
    return changed.map((each) => {
      const name = children.get(each.series)?.child.name ?? '';
      return say(
        each,
        `${possessive(name)} session on ${shortDate(each.date)} is no longer as it was: it was changed, planned, told or cancelled.`,
      );
    });
  const broken = new Map(checkGiven(loaded.problem, taken).map((each) => [keyOf(each), each]));
  return taken.flatMap((each) => {
    const fault = broken.get(keyOf(each));
    return fault ? [say(each, whyBroken(loaded, fault, reply.people[each.therapist]?.name ?? ''))] : [];
  });
}

const keyOf = ({ series, date, therapist }: { series: string; date: string; therapist: string }): string =>
  `${date} ${therapist} ${series}`;

function whyBroken(loaded: LoadedStanding, { series, date, therapist, fault }: BrokenDate, name: string): string {
  const own = loaded.series.find(({ id }) => id === series);
  const day = shortDate(isoDate(date));
  const refused = own && whyNot(loaded.facts, therapist, own, isoDate(date));
  switch (fault) {
    case 'may-not':
    case 'declined':
      return refused ?? `${name} may no longer serve this child.`;
    case 'two-places':
      return `${name} would have two children at that time on ${day}: choose another option for one of them.`;
    case 'week-full':
      return `${name} would have more hours in the week of ${day} than their limit, or the child more than allowed.`;
    default:
      return refused ?? `${name} is no longer free on ${day} at that time.`;
  }
}

const reasonOf = ({ therapist, for_good: forGood }: StoredStanding['reply']): string =>
  forGood ? `${therapist.name} hands the sessions over` : `${therapist.name} is away`;

/** Writes date by date. Each date's call list is opened, so that whoever's day changes has a line on it. */
async function writeAll(
  trx: Db,
  { reply }: StoredStanding,
  loaded: LoadedStanding,
  taken: readonly Taken[],
  commit: string,
): Promise<AppointmentChange[]> {
  const rows = new Map(loaded.series.map((each) => [each.id, each.rows]));
  const days = [...groupBy(taken, ({ date }) => date)];
  const changes: AppointmentChange[] = [];
  for (const [date, own] of days) {
    const plans = own.flatMap(({ series, therapist }) =>
      (rows.get(series)?.[date] ?? []).map((row) => {
        const whole = { start: row.start, end: row.end, therapistId: therapist, cancelled: false };
        return { row, segments: [{ ...whole, what: 'covered' as const, reason: reasonOf(reply) }] };
      }),
    );
    changes.push(...(await writeSegments(trx, date, plans, commit)));
  }
  return changes;
}

/** What the commit did, for its workbook and its stored reply. */
async function reportOf(
  trx: Db,
  { reply: offered }: StoredStanding,
  changes: readonly AppointmentChange[],
  commit: string,
): Promise<CountedReply> {
  const { location, therapist, children } = offered;
  const ids = changes.flatMap(({ clientId, after }) => [clientId ?? '', after.therapistId ?? '']);
  const names = await selectNames(trx, ids);
  const minutes = children.reduce(
    (sum, child) => sum + child.series.reduce((own, { start, end, dates }) => own + (end - start) * dates.length, 0),
    0,
  );
  const lines = changes.map((change) => {
    const { after, clientId, subject, wireId, date } = change;
    const [start, end] = [minuteOf(after.starts), minuteOf(after.ends)];
    const to = names.get(after.therapistId ?? '') ?? '';
    return {
      client: names.get(clientId ?? '') ?? '',
      to,
      date,
      time: timeSlot(start, end),
      minutes: end - start,
      subject,
      wireId,
    };
  });
  const kept = lines.reduce((sum, line) => sum + line.minutes, 0);
  const people = new Set([...lines.map(({ client }) => `c ${client}`), ...lines.map(({ to }) => `t ${to}`)]);
  return {
    commit,
    figures: {
      sessions: changes.length,
      changes: changes.length,
      minutes_needed: minutes,
      minutes_kept: kept,
      minutes_uncovered: Math.max(0, minutes - kept),
      people: people.size,
    },
    actions: lines.map((line) => ({
      date: line.date,
      client: line.client,
      time: line.time,
      from_therapist: therapist.name,
      to_therapist: line.to,
      status: 'Cover',
      location: locationLabel(location),
      subject: line.subject,
      appointment_id: line.wireId,
      reason: reasonOf(offered),
    })),
    by_therapist: lines.map((line) => ({
      therapist: line.to,
      date: line.date,
      time: line.time,
      client: line.client,
      subject: line.subject,
      status: 'Cover',
    })),
    calls: [],
    uncovered: [],
  };
}

const minuteOf = (timestamp: string): number => Number(timestamp.slice(11, 13)) * 60 + Number(timestamp.slice(14, 16));

const shownAs = ({ commit, reply }: StoredReply, meetings: number): StandingCommit => ({
  commit,
  sessions: reply.figures?.sessions ?? reply.actions.length,
  dates: new Set(reply.actions.map(({ date }) => date)).size,
  people: reply.figures?.people ?? 0,
  meetings,
});
