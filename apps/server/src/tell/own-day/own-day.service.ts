import { OWN_DAYS_AHEAD, OWN_DAYS_BACK, type OwnAnswer } from '@clinic/contract';
import { addDays, dayOfWeek, type IsoDate, type Location } from '@clinic/domain';
import { cutOf, type WallOf, type WallPresent } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import { inTransaction, onSnapshot } from '../../db/retry.ts';
import { together } from '../../db/snapshot.ts';
import { loadContacts } from '../../people/contacts.ts';
import type { Act } from '../../access/act.ts';
import { therapistOf } from '../../access/caller.ts';
import { isoAt } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { selectOwnReports, type ReportRow } from '../../plan/absences/absence-reports.queries.ts';
import { lockOf, personKey, recordCallChange } from '../memory/call-day.ts';
import { knowledge } from '../memory/knows.ts';
import { keepAnswer, noteOf } from '../calls/calls.service.ts';
import type { Line } from '../lines/line.ts';
import { callList } from '../lines/lines.ts';
import { loadCallData } from '../lines/load-calls.ts';
import { isRepeated } from '../lines/repeated.ts';
import { ownVersion } from '../lines/waits.ts';
import {
  putSeen,
  selectOwnAbsences,
  selectOwnCallDays,
  selectOwnNoes,
  selectOwnSessions,
  selectSelf,
  type OwnSession,
} from './own-day.queries.ts';
import { dayShown, decided, mayReturn, withUndecided, withUnsettled } from './undecided.ts';

/** A line about the therapist on a day's call list. */
export interface OwnLine {
  readonly location: Location;
  readonly date: IsoDate;
  readonly line: Line;
}

export interface OwnDays {
  readonly name: string;
  /** Their language, as it was typed for their own contact; empty if it was not. */
  readonly language: string;
  readonly home: Location;
  /** Today's date at the therapist's home location. */
  readonly today: IsoDate;
  readonly earliest: IsoDate;
  readonly latest: IsoDate;
  readonly dates: readonly IsoDate[];
  readonly sessions: readonly OwnSession[];
  readonly lines: readonly OwnLine[];
  /** The absences that the therapist has reported. */
  readonly reports: readonly ReportRow[];
}

/**
 * Returns a therapist's own days, read in one snapshot: the week of a date, as far as the page may show it, and all
 * changes.
 */
export function readOwnDays(db: Db, wallOf: WallOf, therapistId: string, wanted: IsoDate | null): Promise<OwnDays> {
  return onSnapshot(db, async (trx) => {
    const self = await selectSelf(trx, therapistId);
    const { date: today } = wallOf(self.location);
    const [earliest, latest] = [addDays(today, -OWN_DAYS_BACK), addDays(today, OWN_DAYS_AHEAD)];
    const dates = weekOf(wanted ?? today).filter((date) => earliest <= date && date <= latest);
    const [first, last] = [dates[0], dates.at(-1)];
    const [sessions, { lines, returning }, reports, contacts] = await together(
      first && last ? sessionsOf(trx, therapistId, first, last, wallOf(self.location)) : Promise.resolve([]),
      ownLines(trx, wallOf, therapistId, today, latest),
      selectOwnReports(trx, therapistId, today),
      loadContacts(trx, 'therapist', [therapistId], null),
    );
    const all = [...withUnsettled(sessions, lines), ...returning].sort((a, b) => a.start - b.start);
    const language = contacts.get(therapistId)?.[0]?.language ?? '';
    const own = { name: self.display_name, language, home: self.location, today, earliest, latest, dates };
    return { ...own, sessions: all, lines, reports };
  });
}

/** A therapist's sessions from one date to another, and which of their time the next plan decides about. */
export async function sessionsOf(
  db: Db,
  therapistId: string,
  first: IsoDate,
  last: IsoDate,
  wall: WallPresent,
): Promise<OwnSession[]> {
  const rows = await selectOwnSessions(db, therapistId, first, last);
  const clients = new Set(rows.flatMap(({ clientId }) => clientId ?? []));
  const [absences, noes, cut] = await together(
    selectOwnAbsences(db, therapistId, [...clients], first, last),
    selectOwnNoes(db, therapistId, first, last),
    cutOf(db, wall),
  );
  return withUndecided(rows, { absences, noes, today: wall.date, cut: cut(wall.date) });
}

/** The seven days of a date's week, from Monday to Sunday. */
function weekOf(date: IsoDate): IsoDate[] {
  const monday = addDays(date, -((dayOfWeek(date) + 6) % 7));
  return Array.from({ length: 7 }, (_, i) => addDays(monday, i));
}

/** A therapist's lines, and the sessions that the next plan may give back to them. */
export async function ownLines(db: Db, wallOf: WallOf, therapistId: string, from: IsoDate, to: IsoDate) {
  const lines: OwnLine[] = [];
  const returning: OwnSession[] = [];
  for (const { location, date } of await selectOwnCallDays(db, therapistId, from, to)) {
    const data = await loadCallData(db, location, date, wallOf(location));
    const line = callList(data).lines.find((each) => each.person === personKey('therapist', therapistId));
    returning.push(...mayReturn(data, therapistId, line));
    if (line) lines.push({ location, date, line });
  }
  return { lines, returning };
}

/**
 * Stores a therapist's answer to a change to their own day. It counts like a coordinator's answer, except that *Seen*
 * does not answer a question.
 */
export async function answerOwn(db: Db, wallOf: WallOf, body: OwnAnswer, act: Act): Promise<void> {
  const therapistId = therapistOf(act.caller);
  const { location, date } = body;
  // A page may show that a part is still being decided; the call list's own version does not say so.
  const [version = ''] = body.version.split('-');
  requireReach(wallOf, location, date);
  const on = { location, date };
  const person = personKey('therapist', therapistId);
  await inTransaction(db, async (trx) => {
    await lockAll(trx, [lockOf(on, person)]);
    const data = await loadCallData(trx, location, date, wallOf(location));
    const line = callList(data).lines.find((each) => each.person === person);
    const answer = body.answer === 'cannot' ? 'said-no' : 'told';
    const note = answer === 'said-no' ? noteOf(body.reason) : null;
    // The no concerns only these sessions; a coordinator asks whether the therapist will be away longer.
    const no = answer === 'told' || line?.sessions.length === 0 ? undefined : ({ scope: 'session' } as const);
    const isOnlySeen = line && (decided(line).length === 0 || line.call === 'ask') && body.answer === 'seen';
    const by = { accountId: act.caller.id, byPage: true };
    if (!isOnlySeen && isRepeated(data, person, line, { answer, version, note, no }, by)) return;
    if (!line || ownVersion(line) !== body.version) {
      const told = knowledge(data.answers).get(person)?.told;
      // Therapists are told only that their own day has changed again, not what else is on the list.
      if (told?.version !== version) throw refusal('own-change-changed');
      if (answer === 'said-no') throw refusal('own-change-told');
      return;
    }
    // While everything is being decided, there is nothing to agree to or to refuse.
    if (!isOnlySeen && decided(line).length === 0) throw refusal('own-change-changed');
    const day = dayShown(line);
    await putSeen(trx, on, therapistId, { version: body.version, now: day }, isoAt(act.at));
    if (isOnlySeen) {
      await recordCallChange(trx, on, act, { action: 'call.seen', kind: 'therapist', ids: [therapistId] });
      return;
    }
    await keepAnswer(trx, wallOf, on, line, { answer, note, no, byPage: true, day }, act);
  });
}

/** Refuses dates that the page does not show. */
function requireReach(wallOf: WallOf, location: Location, date: IsoDate): void {
  const { date: today } = wallOf(location);
  if (date < today || date > addDays(today, OWN_DAYS_AHEAD)) throw refusal('own-change-changed');
}
