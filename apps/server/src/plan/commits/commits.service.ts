import { randomUUID } from 'node:crypto';
import type { ActionsBody, Conflict } from '@clinic/contract';
import { isoDate, type IsoDate, type Location } from '@clinic/domain';
import { auditAsked, insertExtraHours } from '../../day/ask-extra.ts';
import { loadAcquaintance, loadClinicDay, type Acquaintance } from '../../day/clinic-day.ts';
import type { ClinicDay } from '../../day/facts/day.ts';
import { lockAll, personDay, therapistWeek } from '../../db/locks.ts';
import { cutOf, type WallOf, type WallPresent } from '../../day/facts/present.ts';
import { inTransaction } from '../../db/retry.ts';
import { recordEvents } from '../../day/appointment-states.ts';
import { isoAt } from '../../platform/clock.ts';
import { writeSegments } from '../problem/session-writes.ts';
import { isReplaced, loadProposal, type StoredDay, type StoredProposal } from '../problem/stored-proposal.ts';
import { unheldOf } from '../problem/planned-day.ts';
import { toProblem } from '../problem/to-problem.ts';
import { bumpDays } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { requireLocation } from '../../access/caller.ts';
import type { Act } from '../../access/act.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { publishEvent } from '../../platform/events.ts';
import {
  findKey,
  insertCommit,
  insertKey,
  replyOf,
  selectHadBefore,
  standingCommit,
  type StoredReply,
} from './commits.queries.ts';
import { commitCalls } from '../../tell/lines/commit-calls.ts';
import { withExtra } from '../problem/extra-hours.ts';
import { extraToAsk } from './ask-extra.ts';
import { conflictsOf, sessionsOf } from './check-choice.ts';
import { auditCommit, auditCommitRead, sentLocation, summaryOf, touchedDays } from './commit-record.ts';
import { choiceKey, hashOf, readChoice, type Choice } from './choice.ts';
import { asConflict } from './double-booking.ts';
import { reportOf, type CommittedDay } from './report.ts';
import { chosenFigures, chosenSegments, rowPlans, stillTaken } from './targets.ts';
import { makeWorkbook } from './workbook.ts';

/** For this many minutes after the options were made, a commit is checked as of the time when they were made. */
const GRACE_MINUTES = 15;

/**
 * Writes the chosen options to the calendar, exactly once. One transaction locks the people's days, reads the calendar
 * again, checks the result with the engine's rules, writes, and stores the reply. Repeating the request returns the
 * same reply. A choice that no longer fits is a conflict, and nothing is written.
 * @param key the request's idempotency key; if null, proposal, revision and choice identify the request
 */
export async function commitChoice(
  db: Db,
  wallOf: WallOf,
  body: ActionsBody,
  key: string | null,
  act: Act,
): Promise<StoredReply> {
  const { proposal, revision } = body.metadata;
  const stored = await loadProposal(db, proposal, revision);
  const bodyHash = hashOf(body);
  if (!stored) {
    if (key !== null) await replayOf(db, key, bodyHash, act);
    throw refusal('options-unknown');
  }
  requireLocation(act.caller, stored.location);
  try {
    return await inTransaction(db, (trx) => commitLocked(trx, wallOf, stored, body, { key, bodyHash }, act));
  } catch (error) {
    throw await asConflict(db, error);
  }
}

/**
 * Returns the reply stored under an idempotency key, or null. Refuses the key if it came with a different request
 * before.
 */
async function replayOf(db: Db, key: string, bodyHash: string, act: Act): Promise<StoredReply | null> {
  const known = await findKey(db, act.caller.id, key);
  if (!known) return null;
  if (known.bodyHash !== bodyHash) throw new Refusal('key-reused');
  return replyOf(db, known.commit);
}

async function commitLocked(
  trx: Db,
  wallOf: WallOf,
  stored: StoredProposal,
  body: ActionsBody,
  { key, bodyHash }: { key: string | null; bodyHash: string },
  act: Act,
): Promise<StoredReply> {
  const own = [`proposal:${stored.id}`, ...(key === null ? [] : [`key:${act.caller.id}:${key}`])];
  const choice = readChoiceSafely(stored, body);
  await lockAll(trx, [...own, ...(choice instanceof Refusal ? [] : peopleDays(stored, choice))]);
  const replayed = key === null ? null : await replayOf(trx, key, bodyHash, act);
  if (replayed) return again(trx, act, replayed);
  if (choice instanceof Refusal) throw choice;
  const at = isoAt(act.at);
  const keep = async (commit: string): Promise<void> => {
    if (key !== null) await insertKey(trx, { accountId: act.caller.id, key, bodyHash, commit, at });
  };
  const standing = await standingCommit(trx, stored.id);
  const chosenKey = choiceKey(body);
  if (standing && standing.choiceKey === chosenKey) {
    await keep(standing.commit); // from now on, this request's key also belongs to the commit that it repeats
    return again(trx, act, standing);
  }
  if (standing) throw new Refusal('already-committed');
  if (isReplaced(stored, act.caller.id)) throw refusal('options-replaced');
  const id = randomUUID();
  const days = await writeDays(trx, wallOf, stored, choice, id);
  const extra = extraToAsk(stored, days, id);
  await insertExtraHours(trx, extra, act);
  const dates = days.map(({ day }) => day.date);
  const calls = await commitCalls(trx, stored.location, wallOf(stored.location), dates);
  const reply = reportOf(days, id, calls);
  const workbook = await makeWorkbook(reply);
  const changes = days.flatMap((d) => d.changes);
  const summary = summaryOf(reply.figures, choice, days, wallOf(stored.location));
  await insertCommit(trx, {
    id,
    proposal: stored.id,
    revision: stored.revision,
    location: stored.location,
    sentLocation: sentLocation(body, stored.location),
    choice: body.selectedOptions,
    choiceKey: chosenKey,
    changes,
    summary,
    reply,
    workbook,
    accountId: act.caller.id,
    at,
  });
  await recordEvents(trx, changes, { accountId: act.caller.id, commitId: id, at });
  await keep(id);
  const touched = touchedDays(days);
  await bumpDays(trx, touched);
  await publishEvent(trx, { kind: 'commit', location: stored.location, dates: summary.dates, by: act.caller.id });
  const detail = { proposal: stored.id, revision: stored.revision, dates: summary.dates };
  await auditCommit(trx, act, { action: 'schedule.committed', commit: id, days: touched, changes, detail });
  await auditAsked(trx, act, extra);
  return { commit: id, location: stored.location, choiceKey: chosenKey, reply, workbook };
}

/** Returns a repeated commit's reply, after auditing that it was read. */
async function again(trx: Db, act: Act, reply: StoredReply): Promise<StoredReply> {
  await auditCommitRead(trx, act, reply.commit, reply.location);
  return reply;
}

function readChoiceSafely(stored: StoredProposal, body: ActionsBody): Choice | Refusal {
  try {
    return readChoice(stored, body);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/**
 * Returns the locks that a choice needs: on the days of everyone whose time changes, and on the weeks of therapists who
 * gain time.
 */
function peopleDays(stored: StoredProposal, choice: Choice): string[] {
  return [...choice.values()].flat().flatMap((chosen) => {
    const day = stored.days[chosen.date] as StoredDay;
    return sessionsOf(day, chosen).flatMap((session) => {
      const pieces = chosen.option.pieces[session.id] ?? [];
      const therapists = [
        session.therapistId,
        ...session.rows.map((r) => r.therapistId),
        ...pieces.map((p) => p.therapist),
      ];
      return [
        ...therapists.flatMap((t) => (t === null ? [] : [personDay('therapist', t, chosen.date)])),
        ...pieces.flatMap(({ therapist: t }) =>
          t === null || t === session.therapistId ? [] : [therapistWeek(t, isoDate(chosen.date))],
        ),
        ...session.rows.map((r) => personDay('client', r.clientId, chosen.date)),
      ];
    });
  });
}

/**
 * Checks and writes one date after the other; the transaction keeps nothing unless the choice fits on every date. Which
 * therapists a client knows is read before anything is written, just as when the options were made. So it does not
 * matter for a date which sessions the choice takes from a therapist on an earlier date.
 */
async function writeDays(
  trx: Db,
  wallOf: WallOf,
  stored: StoredProposal,
  choice: Choice,
  commit: string,
): Promise<CommittedDay[]> {
  const wall = wallOf(stored.location);
  const cut = await cutOf(trx, wall);
  const extraTeam = new Map<string, Set<string>>();
  const conflicts: Conflict[] = [];
  const days: CommittedDay[] = [];
  const dates = [...choice.keys()].map(isoDate);
  const known = new Map<IsoDate, Acquaintance>();
  for (const date of dates.slice(1)) known.set(date, await loadAcquaintance(trx, stored.location, date));
  for (const date of dates) {
    const chosen = choice.get(date) ?? [];
    const offered = stored.days[date] as StoredDay;
    const day = await loadDay(trx, stored.location, date, wall, known.get(date));
    const now = judgedAt(offered.planned.now, cut(date));
    const read = toProblem(day, { now, extraTeam, unheld: unheldOf(offered.planned) });
    const fresh = withExtra(read, offered.planned.extra ?? []);
    const segments = chosenSegments(day, fresh, chosen);
    const clashes = conflictsOf(offered, fresh, chosen);
    conflicts.push(...(clashes.length > 0 ? clashes : stillTaken(day, fresh, segments)));
    if (conflicts.length > 0) continue;
    const changes = await writeSegments(trx, day.date, rowPlans(segments), commit);
    for (const { row, segment, status } of segments) {
      if (row.clientId === null || segment.therapistId === null || (status !== 'Cover' && status !== 'Swap')) continue;
      const team = extraTeam.get(row.clientId) ?? new Set<string>();
      extraTeam.set(row.clientId, team.add(segment.therapistId));
    }
    const hadBefore = await selectHadBefore(
      trx,
      segments.filter((s) => s.row.therapistId === null).map((s) => s.row.key),
    );
    days.push({ day, after: day, segments, figures: chosenFigures(fresh, chosen), changes, hadBefore });
  }
  if (conflicts.length > 0) throw new Refusal('conflict', { conflicts });
  const after: CommittedDay[] = [];
  for (const d of days)
    after.push({ ...d, after: await loadClinicDay(trx, stored.location, d.day.date, { familiarity: false }) });
  return after;
}

/**
 * Loads a date as the writes of the earlier dates left it. If `known` is given, the clients know only the therapists in
 * it.
 */
async function loadDay(
  trx: Db,
  location: Location,
  date: IsoDate,
  wall: WallPresent,
  known?: Acquaintance,
): Promise<ClinicDay> {
  const day = await loadClinicDay(trx, location, date, { wall });
  if (!known) return day;
  const clients = day.clients.map((client) => ({ ...client, knows: known.get(client.id) ?? new Map() }));
  return { ...day, clients };
}

/**
 * A choice is checked as of this time, in minutes after midnight: when its options were made or, if that was more than
 * a quarter of an hour ago, now.
 */
function judgedAt(offered: number | null, present: number | null): number | null {
  if (offered === null) return present;
  if (present === null) return 1440; // the day has ended, so the choice is checked as of its end
  return present - offered <= GRACE_MINUTES ? offered : present;
}
