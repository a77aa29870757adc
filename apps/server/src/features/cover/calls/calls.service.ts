import type { AnswerBody, CallAnswer, CallNo, ClaimBody } from '@clinic/contract';
import type { WallOf } from '../../../clinic-day/present.ts';
import type { LocationDay } from '../../../clinic-day/versions.ts';
import type { Db } from '../../../db/connection.ts';
import { lockAll } from '../../../db/locks.ts';
import { inTransaction, readAgain } from '../../../db/retry.ts';
import type { Act } from '../../../platform/access/act.ts';
import { requireLocation } from '../../../platform/access/caller.ts';
import { isoAt } from '../../../platform/clock.ts';
import { refusal, type Refusal } from '../../../platform/refusal.ts';
import {
  dropClaim,
  insertAnswers,
  lockOf,
  openCallDays,
  personKey,
  recordCallChange,
  type Answer,
  type AnswerToKeep,
  type PersonKey,
} from '../../../clinic-day/call-day.ts';
import { insertSheet, putClaim } from './call-day.queries.ts';
import { loadBoard, lookOf, type CallBoard } from './call-board.ts';
import { presentLine } from './calls.presenter.ts';
import type { Line } from './line.ts';
import { callList } from './lines.ts';
import { loadCallData, loadCallList } from './load-calls.ts';
import { standsFor } from './decline.queries.ts';
import { agreeToExtraHours, closeExtraHours, takeBackExtraHours } from './extra-hours.queries.ts';
import { bringForward } from './outbox.queries.ts';
import { changedDay, endBySayingYes, keepNo, takeBackDecline } from './said-no.service.ts';

/**
 * Stores the result of a call. Refuses if the line has changed, because the person was told only what the caller saw.
 */
export async function answerCall(db: Db, wallOf: WallOf, body: AnswerBody, act: Act): Promise<CallBoard> {
  return withCallsOf(db, wallOf, body, act, async (trx, on, person) => {
    const data = await loadCallData(trx, on.location, on.date, wallOf(on.location));
    const { lines, told } = callList(data);
    const line = lines.find((each) => each.person === person);
    const name = data.people.find((each) => personKey(each.kind, each.id) === person)?.displayName;
    if (name === undefined) throw refusal('nobody-to-call');
    const settled = told.find((each) => each.person === person);
    const { answer, note } = body;
    if (answer === 'not-told') {
      const isTold = line?.again ?? line?.since.some((each) => each.cancelled !== null);
      if (!isTold && !settled) throw refusal('call-settled', name);
      const kept = { person, answer, note: noteOf(note), version: body.version, day: null, byPage: false };
      await insertAnswers(trx, on, [kept], act.caller.id, isoAt(act.at));
      const back = line?.again?.told ?? settled?.told;
      if (body.kind === 'therapist' && back && (await takeBackExtraHours(trx, on, body.id, back.at)) > 0)
        await changedDay(trx, on, act);
      await dropClaim(trx, on, person);
      await recordCallChange(trx, on, act, { action: 'call.answered', kind: body.kind, ids: [body.id], answer });
    } else {
      if (!line && !settled) throw refusal('call-undone', name);
      if (!line && settled && answer === 'said-no') throw refusal('no-after-told', name, settled.told.by);
      if (line?.version !== body.version) throw changed(line, name, act);
      await keepAnswer(trx, wallOf, on, line, { answer, note, no: body.no, byPage: false }, act);
    }
  });
}

/** Locks a person's calls on a date, runs a change, and returns the new list. */
async function withCallsOf(
  db: Db,
  wallOf: WallOf,
  body: LocationDay & Pick<AnswerBody, 'kind' | 'id'>,
  act: Act,
  write: (trx: Db, on: LocationDay, person: PersonKey) => Promise<void>,
): Promise<CallBoard> {
  const on = dateOf(body);
  requireLocation(act.caller, on.location);
  const person = personKey(body.kind, body.id);
  return inTransaction(db, async (trx) => {
    await lockAll(trx, [lockOf(on, person)]);
    await write(trx, on, person);
    return loadBoard(trx, wallOf, on, lookOf(act));
  });
}

/** How a line was answered, and whether the person answered on their own page. */
interface Given {
  readonly answer: Exclude<CallAnswer, 'not-told'>;
  readonly note: string | undefined;
  readonly no: CallNo | undefined;
  readonly byPage: boolean;
}

/**
 * Stores the answer to a line that has not changed since it was shown. The answer `told` means that the person now
 * knows their whole day. The lock on the person's calls (`lockOf`) must be held.
 */
export async function keepAnswer(
  trx: Db,
  wallOf: WallOf,
  on: LocationDay,
  line: Line,
  { answer, note, no, byPage }: Given,
  act: Act,
): Promise<void> {
  const { person, kind, id, version } = line;
  const day = answer === 'told' ? line.now : null;
  const kept = { person, answer, note: noteOf(note), version, day, byPage };
  const repeated = await findRepeated(trx, on, line, kept, no);
  const [answerId = null] = repeated
    ? [repeated.id]
    : await insertAnswers(trx, on, [kept], act.caller.id, isoAt(act.at));
  if (answer === 'said-no' && no) await keepNo(trx, wallOf, on, line, { no, answerId }, act);
  if (answer === 'told') await endBySayingYes(trx, on, line, act);
  if (answer === 'told' && line.extra.length > 0) await agreeToExtra(trx, on, line, act);
  if (answer === 'told' || answer === 'said-no') await bringForward(trx, on, [person], isoAt(act.at));
  await dropClaim(trx, on, person);
  const scope = no === undefined ? {} : { scope: no.scope };
  await recordCallChange(trx, on, act, { action: 'call.answered', kind, ids: [id], answer, ...scope });
}

/**
 * Returns the last answer to a line if it is this same no, sent again after a lost reply; a no does not change the line.
 * A no that was taken back meanwhile is not the same.
 */
async function findRepeated(
  trx: Db,
  on: LocationDay,
  { since }: Line,
  kept: AnswerToKeep,
  no: CallNo | undefined,
): Promise<Answer | undefined> {
  const last = since.at(-1);
  const isSame =
    kept.answer === 'said-no' &&
    last?.answer === kept.answer &&
    last.version === kept.version &&
    last.note === kept.note &&
    last.byPage === kept.byPage;
  return isSame && (no === undefined || (await standsFor(trx, on, last.id))) ? last : undefined;
}

/** Records that a therapist agreed to stay late or to come early, which makes their day longer. */
async function agreeToExtra(trx: Db, on: LocationDay, line: Line, act: Act): Promise<void> {
  await agreeToExtraHours(
    trx,
    line.extra.map(({ id }) => id),
    act.caller.id,
    isoAt(act.at),
  );
  await changedDay(trx, on, act);
  await recordCallChange(trx, on, act, { action: 'extra-hours.agreed', kind: line.kind, ids: [line.id] });
}

function changed(line: Line | undefined, name: string, act: Act): Refusal {
  if (!line) return refusal('call-settled', name);
  return refusal('call-changed', name).with({ extra: { line: presentLine(line, { accountId: act.caller.id }) } });
}

/** Takes back a decline and the absence that came with it; later plans may ask the therapist again. */
export async function takeBackNo(
  db: Db,
  wallOf: WallOf,
  body: LocationDay & { id: string; take_back?: boolean | undefined },
  act: Act,
): Promise<CallBoard> {
  const on = dateOf(body);
  requireLocation(act.caller, on.location);
  return inTransaction(db, async (trx) => {
    const therapist = await takeBackDecline(trx, wallOf, on, { id: body.id, takeBack: body.take_back === true }, act);
    await recordCallChange(trx, on, act, { action: 'call.no-taken-back', kind: 'therapist', ids: [therapist] });
    return loadBoard(trx, wallOf, on, lookOf(act));
  });
}

/**
 * Records that a person is being called, or no longer called. Refuses a person whom someone else is calling, unless the
 * user takes the call over.
 */
export async function claimCall(db: Db, wallOf: WallOf, body: ClaimBody, act: Act): Promise<CallBoard> {
  return withCallsOf(db, wallOf, body, act, async (trx, on, person) => {
    const now = await loadBoard(trx, wallOf, on, lookOf(act));
    const line = now.lines.find((each) => each.person === person);
    if (!line) throw refusal('nobody-to-call');
    const other = now.claims.find((claim) => claim.person === person && claim.accountId !== act.caller.id);
    if (other && body.take_over !== true) {
      if (body.ringing) throw refusal('rung-by-another', other.by, line.name);
      return;
    }
    if (body.ringing) await putClaim(trx, on, person, act.caller.id, isoAt(act.at));
    else await dropClaim(trx, on, person);
    await recordCallChange(trx, on, act, {
      action: body.ringing ? 'call.claimed' : 'call.left',
      kind: body.kind,
      ids: [body.id],
    });
  });
}

/**
 * Records that the day sheet was sent, so that everyone now knows their day. From then on the date's call list is open,
 * and people must be told of later changes.
 */
export async function sendDaySheet(db: Db, wallOf: WallOf, on: LocationDay, act: Act): Promise<CallBoard> {
  requireLocation(act.caller, on.location);
  // The list is opened before the sheet is read, so that no change made at the same moment is lost.
  await openCallDays(db, [on]);
  return inTransaction(db, async (trx) => {
    await lockAll(trx, [`day-sheet:${on.location}:${on.date}`]);
    const lines = await lockLines(trx, wallOf, on);
    const sent = lines.map(({ person, version, now }) => {
      return { person, answer: 'sheet' as const, note: null, version, day: now, byPage: false };
    });
    await insertAnswers(trx, on, sent, act.caller.id, isoAt(act.at));
    await insertSheet(trx, on, act.caller.id, isoAt(act.at));
    await closeExtraHours(trx, on, isoAt(act.at));
    const people = sent.map(({ person }) => person);
    await bringForward(trx, on, people, isoAt(act.at));
    await recordCallChange(trx, on, act, { action: 'day-sheet.sent', kind: 'day', ids: [`${on.location}/${on.date}`] });
    return loadBoard(trx, wallOf, on, lookOf(act));
  });
}

const dateOf = ({ location, date }: LocationDay): LocationDay => ({ location, date });
/**
 * Locks the calls of everyone who has a line on a date, and returns the lines as they are then. An answer given at the
 * same moment is included in these lines, or it waits until the caller's transaction ends.
 */
export async function lockLines(trx: Db, wallOf: WallOf, on: LocationDay): Promise<readonly Line[]> {
  const load = async () => (await loadCallList(trx, on.location, on.date, wallOf(on.location))).lines;
  const locked = new Set((await load()).map(({ person }) => person));
  await lockAll(
    trx,
    [...locked].map((person) => lockOf(on, person)),
  );
  const lines = await load();
  if (lines.some(({ person }) => !locked.has(person))) throw readAgain();
  return lines;
}

const noteOf = (note: string | undefined): string | null => {
  const text = note?.trim() ?? '';
  return text === '' ? null : text;
};
