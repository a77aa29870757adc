// This file is over 250 lines because the results of calls share their locks and refusals.
import type { AnswerBody, CallAnswer, CallNo, ClaimBody } from '@clinic/contract';
import { listWords, parseTime, promiseToRing, type RingPromise, type ToldStretch } from '@clinic/domain';
import type { WallOf } from '../../day/facts/present.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import { inTransaction, readAgain } from '../../db/retry.ts';
import type { Act } from '../../access/act.ts';
import { isoAt } from '../../platform/clock.ts';
import { refusal, type Refusal } from '../../platform/refusal.ts';
import {
  dropClaim,
  insertAnswers,
  lockOf,
  openCallDays,
  personKey,
  recordCallChange,
  type Answer,
  type PersonKey,
} from '../memory/call-day.ts';
import { knowledge } from '../memory/knows.ts';
import { insertSheet, putClaim } from '../lines/call-day.queries.ts';
import { loadBoard, lookOf, type CallBoard } from './call-board.ts';
import { presentLine } from './calls.presenter.ts';
import type { CallData, Line } from '../lines/line.ts';
import { callList } from '../lines/lines.ts';
import { loadCallData, loadCallList } from '../lines/load-calls.ts';
import { agreeToExtraHours, closeExtraHours, takeBackExtraHours } from './extra-hours.queries.ts';
import { reopenDeclines } from './decline.queries.ts';
import { bringForward } from '../lines/outbox.queries.ts';
import { isAfter, isRepeated } from '../lines/repeated.ts';
import { changedDay, endBySayingYes, keepNo, takeBackDecline } from './said-no.service.ts';

/**
 * Stores the result of a call. Refuses if the line has changed, because the person was told only what the caller saw.
 */
export async function answerCall(db: Db, wallOf: WallOf, body: AnswerBody, act: Act): Promise<CallBoard> {
  if (body.answer === 'said-no' && body.also !== undefined) throw refusal('no-of-one-date');
  return withCallsOf(db, wallOf, body, act, async (trx, on, person) => {
    await answerOn(trx, wallOf, on, person, body, false, act);
    const { mistaken: _, ...result } = body;
    for (const { date, ...shown } of body.also ?? [])
      await answerOn(trx, wallOf, { ...on, date }, person, { ...result, last_shown: undefined, ...shown }, true, act);
  });
}

/** Stores the result of a call for one date. The lock on the person's calls of the date must be held. */
async function answerOn(
  trx: Db,
  wallOf: WallOf,
  on: LocationDay,
  person: PersonKey,
  body: Omit<AnswerBody, 'also'>,
  further: boolean,
  act: Act,
): Promise<void> {
  const data = await loadCallData(trx, on.location, on.date, wallOf(on.location));
  const { lines, told } = callList(data);
  const line = lines.find((each) => each.person === person);
  const known = data.people.find((each) => personKey(each.kind, each.id) === person)?.displayName;
  if (known === undefined) throw refusal('nobody-to-call');
  const name = whom(body.kind, known);
  const { answer, version } = body;
  if (body.ring_by !== undefined && (answer !== 'told' || body.kind !== 'client')) throw refusal('no-ring-again', name);
  const note = noteOf(body.note);
  if (answer === 'not-told') {
    // Of a further date, only what was told with this version is taken back: it may have changed, and been told, since.
    if (further && knowledge(data.answers).get(person)?.told?.version !== version) return;
    await takeBackTold(trx, on, { ...body, note }, { data, name }, act);
    return;
  }
  const sent = { answer, version, note, no: body.no, ring_by: body.ring_by, last_shown: body.last_shown };
  if (isRepeated(data, person, line, sent, { accountId: act.caller.id, byPage: false })) return;
  const settled = told.find((each) => each.person === person)?.told;
  if (!line) throw settled ? tellerRefusal(answer, name, settled, act) : refusal('call-undone', name);
  if (line.version !== version) throw changed(line, act);
  const no = answer === 'said-no' ? undefined : unseenNo(data, line, body.last_shown);
  if (no) throw refusal('no-meanwhile', name, tellerOf(no, act));
  const isHeard = answer === 'told' || answer === 'left-message';
  if (isHeard && line.after.length > 0 && body.before_yes !== true)
    throw refusal('waits-for-yes', name, asked(line.after));
  const ringAgain = promiseOf(line, body.ring_by, name);
  await keepAnswer(trx, wallOf, on, line, { answer, note, no: body.no, byPage: false, ringAgain }, act);
}

/** Who has not said yes yet: `Yuki Sato has`, `Yuki Sato and Omar Núñez have`. */
const asked = (after: Line['after']): string =>
  `${listWords(after.map(({ name }) => name))} ${after.length === 1 ? 'has' : 'have'}`;

/** The promise to ring a family again; refused if this line asks about no time that could wait until then. */
function promiseOf({ open }: Line, ringBy: string | undefined, name: string): RingPromise | null {
  const by = parseTime(ringBy ?? '');
  if (by === null) return null;
  const promise = promiseToRing(open, by);
  if (!promise) throw refusal('no-ring-again', name);
  return promise;
}

/**
 * The person's no that came after the results which the caller's page showed; undefined if there is none. A family that
 * was told only of a cancellation since may have said no before that.
 */
function unseenNo({ answers }: CallData, { person }: Line, shown: string | undefined): Answer | undefined {
  if (shown === undefined) return undefined;
  const { since = [] } = knowledge(answers).get(person) ?? {};
  return since.findLast((each) => each.answer === 'said-no' && !each.takenBack && isAfter(each, shown));
}

/** The person called, inside a sentence. */
const whom = (kind: Line['kind'], name: string): string => (kind === 'client' ? `the family of ${name}` : name);

/** Refuses the result of a call to someone who has been told, and says by whom. */
const tellerRefusal = (answer: CallAnswer, name: string, settled: Answer, act: Act): Refusal =>
  refusal(answer === 'said-no' ? 'no-after-told' : 'told-already', name, tellerOf(settled, act));

const tellerOf = ({ by, accountId, byPage }: Answer, act: Act) => ({ by, own: accountId === act.caller.id, byPage });

/**
 * Takes back that a person was told, so that what they were told before counts again. Doing so again changes nothing.
 */
async function takeBackTold(
  trx: Db,
  on: LocationDay,
  body: Pick<AnswerBody, 'kind' | 'id' | 'mistaken'> & { note: string | null },
  { data, name }: { data: CallData; name: string },
  act: Act,
): Promise<void> {
  const { kind, id, note, mistaken } = body;
  const person = personKey(kind, id);
  const own = data.answers.filter((each) => each.person === person);
  const told = knowledge(own).get(person)?.told ?? null;
  if (told?.answer !== 'told' || (mistaken !== undefined && told.id !== mistaken)) {
    const at = mistaken === undefined ? own.length - 1 : own.findIndex((each) => each.id === mistaken);
    if (told?.answer === 'told' && own.indexOf(told) > at) throw refusal('told-again', name, told.by);
    const isBack = own.slice(Math.max(at, 0)).some(({ answer }) => answer === 'not-told');
    if (!isBack) throw refusal(told?.answer === 'sheet' ? 'told-by-sheet' : 'not-marked-told', name);
    return;
  }
  const kept = { person, answer: 'not-told' as const, note, version: '', day: null, byPage: false };
  await insertAnswers(trx, on, [kept], act.caller.id, isoAt(act.at));
  if (kind === 'therapist') await takeBackYes(trx, on, id, told, act);
  await dropClaim(trx, on, person);
  await recordCallChange(trx, on, act, { action: 'call.answered', kind, ids: [id], answer: 'not-told' });
}

/** Takes back what a therapist's yes changed: extra hours are only asked for again, and a no that it ended stands again. */
async function takeBackYes(trx: Db, on: LocationDay, therapistId: string, told: Answer, act: Act): Promise<void> {
  const hours = await takeBackExtraHours(trx, on, therapistId, told.at);
  const noes = await reopenDeclines(trx, { ...on, therapistId, at: told.at, accountId: told.accountId });
  if (hours + noes > 0) await changedDay(trx, on, act);
}

/** Locks a person's calls on a date, runs a change, and returns the new list. */
async function withCallsOf(
  db: Db,
  wallOf: WallOf,
  body: LocationDay & Pick<AnswerBody, 'kind' | 'id' | 'also'>,
  act: Act,
  write: (trx: Db, on: LocationDay, person: PersonKey) => Promise<void>,
): Promise<CallBoard> {
  const on = dateOf(body);
  const person = personKey(body.kind, body.id);
  return inTransaction(db, async (trx) => {
    await lockAll(
      trx,
      [on, ...(body.also ?? [])].map(({ date }) => lockOf({ ...on, date }, person)),
    );
    await write(trx, on, person);
    return loadBoard(trx, wallOf, on, lookOf(act));
  });
}

/** How a line was answered, and whether the person answered on their own page. */
interface Given {
  readonly answer: Exclude<CallAnswer, 'not-told'>;
  readonly note: string | null;
  readonly no: CallNo | undefined;
  readonly byPage: boolean;
  /** The day that the person knows once they are told, if their page did not show all of the line. */
  readonly day?: readonly ToldStretch[];
  /** The promise to ring the family again, if they agreed to wait. */
  readonly ringAgain?: RingPromise | null;
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
  { answer, note, no, byPage, day = line.now, ringAgain = null }: Given,
  act: Act,
): Promise<void> {
  const { person, kind, id, version } = line;
  const knowsDay = answer === 'told' || answer === 'left-message' || (answer === 'said-no' && kind === 'client');
  const knows = knowsDay ? { day, free: line.free } : { day: null };
  const kept = { person, answer, note, version, ...knows, ringAgain, byPage };
  const [answerId = null] = await insertAnswers(trx, on, [kept], act.caller.id, isoAt(act.at));
  if (answer === 'said-no' && no) await keepNo(trx, wallOf, on, line, { no, answerId }, act);
  if (answer === 'told') await endBySayingYes(trx, on, line, act);
  if (answer === 'told' && line.extra.length > 0) await agreeToExtra(trx, on, line, act);
  if (answer === 'told' || answer === 'said-no') await bringForward(trx, on, [person], isoAt(act.at));
  await dropClaim(trx, on, person);
  const scope = no === undefined ? {} : { scope: no.scope };
  await recordCallChange(trx, on, act, { action: 'call.answered', kind, ids: [id], answer, ...scope });
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

function changed(line: Line, act: Act): Refusal {
  return refusal('call-changed', whom(line.kind, line.name)).with({
    extra: { line: presentLine(line, { accountId: act.caller.id }) },
  });
}

/** Takes back a decline and the absence that came with it; later plans may ask the therapist again. */
export async function takeBackNo(
  db: Db,
  wallOf: WallOf,
  body: LocationDay & { id: string; take_back?: boolean | undefined },
  act: Act,
): Promise<CallBoard> {
  const on = dateOf(body);
  return inTransaction(db, async (trx) => {
    const therapist = await takeBackDecline(trx, wallOf, on, { id: body.id, takeBack: body.take_back === true }, act);
    if (therapist !== null)
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
      if (body.ringing) throw refusal('rung-by-another', other.by, whom(line.kind, line.name));
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

export const noteOf = (note: string | undefined): string | null => {
  const text = note?.trim() ?? '';
  return text === '' ? null : text;
};
