import {
  buildModel,
  choicesFor,
  findPiece,
  readPlan,
  STRATEGIES,
  type CoverModel,
  type Pin,
  type PlannedSession as EngineSession,
  type Strategy,
} from '@clinic/cover-engine';
import type { ChoicesReply, RefreshBody } from '@clinic/contract';
import { formatTime, nameKey } from '@clinic/domain';
import { refusal } from '../../../platform/refusal.ts';
import type { PlannedSession } from '../plan/planned-day.ts';
import { gridPieces } from '../plan/segments.ts';
import { optionOf, type StoredDay } from '../plan/stored-proposal.ts';
import { findCell, type CellRef, type FoundCell } from './find-cell.ts';

/** Who else could take a cell, by what the option would cost with each; null when there is no such cell to give. */
export function cellChoices(day: StoredDay, ref: CellRef): ChoicesReply | null {
  const found = findCell(day, ref);
  const piece = found?.pieces[0];
  if (!found || !piece) return null;
  const { problem } = day.planned;
  // Its own pin is what is being chosen again.
  const pins = problem.pins?.filter((pin) => pin.session !== found.session.id) ?? [];
  const model = buildModel({ ...problem, pins });
  const sessions: EngineSession[] = Object.entries(ref.option.pieces).map(([id, p]) => ({ session: id, pieces: p }));
  // An option made by an earlier version may have a strategy that no longer exists.
  const strategy = Object.hasOwn(STRATEGIES, ref.option.strategy) ? ref.option.strategy : 'balanced';
  return rankedAt(model, sessions, { session: found.session.id, start: formatTime(piece.start) }, strategy);
}

/** Who else could take the piece of a session that begins then; null when the plan has none there. */
export function rankedAt(
  model: CoverModel,
  sessions: EngineSession[],
  { session, start }: { session: string; start: string },
  strategy: Strategy,
): ChoicesReply | null {
  const { plan } = readPlan(model, sessions);
  const place = findPiece(model, plan, session, start);
  const at = place && plan[place.part]?.[place.piece];
  if (!place || !at) return null;
  const choices = choicesFor(model, plan, { part: place.part, from: at.from, to: at.to }, strategy);
  return { choices: choices.map(({ id, name, possible, text }) => ({ id, therapist: name, possible, words: text })) };
}

export type Chosen = NonNullable<RefreshBody['choose']>;

interface Held {
  therapist: string | null;
  start: number;
  end: number;
}

/** A choice, found among the options that were offered, and as a pin of its whole session. */
export interface ChosenCell extends FoundCell {
  readonly pin: Pin;
  /** The therapist's display name. */
  readonly name: string;
}

/** Refuses (404) a cell or therapist that these options do not have. */
export function findChosen(day: StoredDay | undefined, chosen: Chosen): ChosenCell {
  const option = day && optionOf(day, chosen.option);
  const found = day && option && findCell(day, { client: chosen.client, option, timeSlot: chosen.time_slot });
  if (!found || found.pieces.length === 0) throw refusal('no-such-cell');
  const { session } = found;
  const [therapist, name] =
    Object.entries(day.planned.names).find(([, each]) => nameKey(each) === nameKey(chosen.therapist)) ?? [];
  if (therapist === undefined || name === undefined) throw refusal('no-such-therapist');
  const isMeant = (p: { start: number; end: number }): boolean =>
    session.service !== 'direct' || found.pieces.some((piece) => piece.start < p.end && p.start < piece.end);
  const held = gridPieces(session, option.pieces[session.id]).reduce<Held[]>((all, p) => {
    const next = { therapist: isMeant(p) ? therapist : p.therapistId, start: p.start, end: p.end };
    const last = all.at(-1);
    const joins = last?.therapist === next.therapist && last.end === next.start && !startsPart(session, next.start);
    if (joins) return [...all.slice(0, -1), { ...last, end: next.end }];
    return [...all, next];
  }, []);
  const pieces = held.map((p) => ({ ...p, start: formatTime(p.start), end: formatTime(p.end) }));
  return { ...found, name, pin: { session: session.id, pieces } };
}

/** Pieces of different parts stay apart. */
const startsPart = (session: PlannedSession, at: number): boolean => session.parts.some((part) => part.start === at);
