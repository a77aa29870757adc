import { createHash } from 'node:crypto';
import {
  intersect,
  joinStretches,
  overlaps,
  subtract,
  type Interval,
  type NetChange,
  type ToldStretch,
} from '@clinic/domain';
import type { DayAppointment } from '../../day/facts/day.ts';
import { declineOf } from '../memory/declines.ts';
import { uncoveredOf, type AwayWindows } from '../../day/facts/uncovered.ts';
import type { CallData, Line, Waits } from './line.ts';

/** What decides whether a line waits for the next plan. */
interface Board {
  readonly data: CallData;
  readonly away: AwayWindows;
  /** Names by person id. */
  readonly shown: ReadonlyMap<string, string>;
}

/**
 * Returns why a person's line waits for the next plan: it will change these sessions, and may also change time that the
 * person still expects.
 * @param hanging the changes that hang on someone's yes
 */
export function waitsOf(
  board: Board,
  { kind, id, changes, open }: Pick<Line, 'kind' | 'id' | 'changes' | 'open'>,
  hanging: readonly NetChange[],
): Waits {
  if (kind === 'client')
    return { waitsFor: [...new Set(waitsOfFamily(board, id, changes, open))], undecided: [], unsettled: [] };
  const lost = lostToday(board, id, changes);
  const got = changes.some((c) => c.what === 'new' && isUndone(board, id, c)) ? [UNDONE] : [];
  return {
    waitsFor: [...new Set([...lost.map(({ why }) => why), ...got])],
    undecided: joinStretches([...lost.map(({ stretch }) => stretch), ...stretchesOf(hanging, 'gone')]),
    unsettled: stretchesOf(hanging, 'new'),
  };
}

const stretchesOf = (changes: readonly NetChange[], what: NetChange['what']): ToldStretch[] =>
  joinStretches(changes.filter((c) => c.what === what));

/** Why a line waits whose session the last plan had changed, when that plan was undone (`CallData.undone`). */
const UNDONE = 'The last changes were undone';

/** Whether a therapist got this time back because a plan was undone. */
const isUndone = ({ data: { day, undone } }: Board, therapistId: string, change: NetChange): boolean =>
  day.appointments
    .filter(isSessionAt(day.location))
    .some((a) => undone.has(a.key) && a.therapistId === therapistId && isOf(a, change));

const isOf = (a: DayAppointment, change: NetChange): boolean =>
  change.with === a.clientId && change.service === a.service && overlaps(change, a);

function waitsOfFamily(
  { data: { day, returned, undone }, away, shown }: Board,
  id: string,
  changes: readonly NetChange[],
  open: readonly ToldStretch[],
): string[] {
  const own = day.appointments.filter((a) => a.clientId === id);
  const words = own.filter(isSessionAt(day.location)).flatMap((a) => {
    const name = shown.get(a.therapistId ?? '') ?? '';
    if (a.declined !== undefined) return changes.some((c) => overlaps(c, a)) ? [`${name} ${a.declined}`] : [];
    const windows = (away.get(a.therapistId ?? '') ?? []).flatMap((window) => intersect(window, a) ?? []);
    if (open.some((c) => windows.some((window) => overlaps(window, c)))) return [`${name} is away`];
    const isBack = windows.length === 0 && undone.has(a.key);
    return isBack && changes.some((c) => c.service === a.service && overlaps(c, a)) ? [UNDONE] : [];
  });
  const back = own.flatMap((a) => {
    const is = a.therapistId === null ? returned.get(a.key) : undefined;
    return is !== undefined && open.some((c) => c.service === a.service && overlaps(c, a)) ? [is] : [];
  });
  return [...words, ...back];
}

/**
 * Returns the time that a therapist has lost and that is not settled until the next plan: the therapist who has it is
 * away or said no, someone is back, or a plan was undone. Leaves out what this therapist said no to: no plan gives it
 * back to them.
 */
function lostToday(
  board: Board,
  id: string,
  changes: readonly NetChange[],
): { readonly why: string; readonly stretch: ToldStretch }[] {
  const { day, present } = board.data;
  const gone = changes.filter((c) => c.what === 'gone' && c.with !== null);
  if (gone.length === 0) return [];
  return day.appointments.filter(isSessionAt(day.location)).flatMap((a) => {
    const isBack = board.data.undone.has(a.key) && uncoveredOf(a, board.away, present.minutes).length === 0;
    const why = isBack ? UNDONE : whyOpen(board, a);
    if (why === undefined || declineOf(day.declines, { ...a, therapistId: id })) return [];
    const left = (now: number | null): Interval[] =>
      isBack ? subtract([a], [{ start: 0, end: now ?? 0 }]) : uncoveredOf(a, board.away, now);
    const within = (c: NetChange, now: number | null) => left(now).flatMap((window) => intersect(window, c) ?? []);
    // What is past of this time is not settled either, so that a running session is not worded as lost.
    return gone
      .filter((c) => c.with === a.clientId && c.service === a.service && within(c, present.minutes).length > 0)
      .flatMap((c) => within(c, null))
      .map((window) => ({ why, stretch: { ...window, with: a.clientId, service: a.service } }));
  });
}

/** The version of a line as the therapist's own page shows it, which leaves out what is undecided. */
export function ownVersion({
  version,
  undecided,
  unsettled,
}: Pick<Line, 'version' | 'undecided' | 'unsettled'>): string {
  if (undecided.length + unsettled.length === 0) return version;
  const parts = unsettled.length === 0 ? undecided : [undecided, unsettled];
  return `${version}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)}`;
}

/** Why a session has no therapist for some of its time; undefined if a plan has decided that, or if it has one. */
function whyOpen({ data, shown }: Board, { key, therapistId, declined }: DayAppointment): string | undefined {
  if (therapistId === null) return data.returned.get(key);
  return `${shown.get(therapistId) ?? ''} ${declined ?? 'is away'}`;
}

const isSessionAt =
  (location: DayAppointment['location']) =>
  (a: DayAppointment): boolean =>
    a.location === location && a.occupies && a.service !== 'admin';
