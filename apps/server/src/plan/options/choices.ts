import {
  buildModel,
  byCost,
  choiceIfWider,
  choicesFor,
  findPiece,
  readPlan,
  STRATEGIES,
  type Choice,
  type CoverModel,
  type Pin,
  type Plan,
  type PlannedSession as EngineSession,
  type Strategy,
} from '@clinic/cover-engine';
import type { ChoicesReply, RefreshBody } from '@clinic/contract';
import { extraWords, formatTime, nameKey, overlaps, slotStart, type Interval } from '@clinic/domain';
import { refusal } from '../../platform/refusal.ts';
import { ELSEWHERE, isElsewhere } from '../problem/elsewhere.ts';
import { extraFor, widerBy } from '../problem/extra-hours.ts';
import type { PlannedDay, PlannedExtra, PlannedSession } from '../problem/planned-day.ts';
import { gridPieces, windowOf } from '../problem/segments.ts';
import { optionOf, type StoredDay } from '../problem/stored-proposal.ts';
import { findCell, type CellRef, type FoundCell } from './find-cell.ts';

/**
 * Finds who else could take a cell, and what the option would cost with each therapist; null when there is no such
 * cell.
 */
export function cellChoices(day: StoredDay, ref: CellRef): ChoicesReply | null {
  const found = findCell(day, ref);
  const piece = found?.pieces[0];
  if (!found || !piece) return null;
  const { planned } = day;
  const { problem } = planned;
  // A pin on the cell's session is ignored, because that session's therapist is being chosen again.
  const pins = problem.pins?.filter((pin) => pin.session !== found.session.id) ?? [];
  const model = buildModel({ ...problem, pins });
  const sessions: EngineSession[] = Object.entries(ref.option.pieces).map(([id, p]) => ({ session: id, pieces: p }));
  // An option stored by an earlier version may name a strategy that no longer exists.
  const strategy = Object.hasOwn(STRATEGIES, ref.option.strategy) ? ref.option.strategy : 'balanced';
  return rankedAt(model, sessions, { planned, session: found.session, start: formatTime(piece.start) }, strategy);
}

/**
 * Finds who else could take the piece of a session that begins at a given time; null when the plan has no such piece.
 */
export function rankedAt(
  model: CoverModel,
  sessions: EngineSession[],
  { planned, session, start }: { planned: PlannedDay; session: PlannedSession; start: string },
  strategy: Strategy,
): ChoicesReply | null {
  const { plan } = readPlan(model, sessions);
  const place = findPiece(model, plan, session.id, start);
  const at = place && plan[place.part]?.[place.piece];
  if (!place || !at) return null;
  const stretch = { part: place.part, from: at.from, to: at.to };
  const choices = choicesFor(model, plan, stretch, strategy);
  const asked = at.therapist >= 0 ? [] : askable({ model, plan, planned, session, stretch, strategy }, choices);
  const askedIds = new Set(asked.map(({ id }) => id));
  const shown = ({ id, name, possible, text, bar }: Choice, ask: string | null = null) => {
    const words = bar === 'not available' && isElsewhere(planned, id, at) ? `not: ${ELSEWHERE}` : text;
    return { id, therapist: name, possible, words, ask };
  };
  return {
    choices: [
      ...choices.filter((choice) => choice.possible).map((choice) => shown(choice)),
      ...asked.map((choice) => shown(choice, `Ask to ${choice.extra}`)),
      ...choices.filter((choice) => !choice.possible && !askedIds.has(choice.id)).map((choice) => shown(choice)),
    ],
  };
}

interface Gap {
  readonly model: CoverModel;
  readonly plan: Plan;
  readonly planned: PlannedDay;
  readonly session: PlannedSession;
  /** The piece without a therapist. */
  readonly stretch: Parameters<typeof choicesFor>[2];
  readonly strategy: Strategy;
}

/**
 * Lists the therapists who could take a gap only by staying late or coming early, least costly first, each with the
 * hours to ask for, in words.
 */
export function askable(
  { model, plan, planned, session, stretch, strategy }: Gap,
  choices: readonly Choice[] = choicesFor(model, plan, stretch, strategy),
) {
  const part = model.parts[stretch.part];
  // Services other than direct therapy are covered only as a whole.
  const whole = part && session.service !== 'direct' ? part : stretch;
  const window = { start: slotStart(whole.from), end: slotStart(whole.to) };
  const found = choices.flatMap((choice) => {
    const extra = choice.possible ? null : extraFor(planned, session, [window], choice.id);
    if (!extra) return [];
    const wider = choiceIfWider(model, plan, stretch, strategy, { id: choice.id, wider: widerBy(extra) });
    return wider?.possible ? [{ ...wider, extra: extraWords([extra]) }] : [];
  });
  return found.toSorted(byCost);
}

export type Chosen = NonNullable<RefreshBody['choose']>;

interface Held extends Interval {
  therapist: string | null;
}

/** A therapist chosen for a cell: the cell in the stored options, with a pin of the whole session. */
export interface ChosenCell extends FoundCell {
  readonly pin: Pin;
  /** The extra hours that the therapist would be asked for. */
  readonly extra: readonly PlannedExtra[];
  /** The therapist's display name. */
  readonly name: string;
}

/** Finds the chosen cell and therapist. Refuses with 404 if these options have no such cell or therapist. */
export function findChosen(day: StoredDay | undefined, chosen: Chosen): ChosenCell {
  const option = day && optionOf(day, chosen.option);
  const found = day && option && findCell(day, { client: chosen.client, option, timeSlot: chosen.time_slot });
  if (!found || found.pieces.length === 0) throw refusal('no-such-cell');
  const { session } = found;
  const [therapist, name] =
    Object.entries(day.planned.names).find(([, each]) => nameKey(each) === nameKey(chosen.therapist)) ?? [];
  if (therapist === undefined || name === undefined) throw refusal('no-such-therapist');
  const isMeant = (p: Interval): boolean =>
    session.service !== 'direct' || found.pieces.some((piece) => overlaps(piece, p));
  const held = gridPieces(session, option.pieces[session.id]).reduce<Held[]>((all, p) => {
    const next = { therapist: isMeant(p) ? therapist : p.therapistId, start: p.start, end: p.end };
    const last = all.at(-1);
    const joins = last?.therapist === next.therapist && last.end === next.start && !startsPart(session, next.start);
    if (joins) return [...all.slice(0, -1), { ...last, end: next.end }];
    return [...all, next];
  }, []);
  const pieces = held.map((p) => ({ ...p, start: formatTime(p.start), end: formatTime(p.end) }));
  const pin = { session: session.id, pieces };
  return { ...found, name, pin, extra: chosen.ask ? askedFor(day.planned, session, pin, therapist) : [] };
}

/** Works out the extra hours that a pin would need. Refuses with 422 a therapist who cannot be asked for them. */
export function askedFor(planned: PlannedDay, session: PlannedSession, pin: Pin, therapist: string): PlannedExtra[] {
  const own = pin.pieces.filter((piece) => piece.therapist === therapist).map(windowOf);
  const extra = extraFor(planned, session, own, therapist);
  if (!extra) throw refusal('not-to-be-asked', planned.names[therapist] ?? '');
  return [{ ...extra, therapist, session: session.id }];
}

/** Whether a part begins at this minute; pieces of different parts are not joined. */
const startsPart = (session: PlannedSession, at: number): boolean => session.parts.some((part) => part.start === at);
