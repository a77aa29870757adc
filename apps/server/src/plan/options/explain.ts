import {
  modelOf,
  findPiece,
  notThenWords,
  readPlan,
  STRATEGIES,
  uncoveredStretches,
  whatItWouldTake,
  whyNobody,
  whyThisTherapist,
  type PlannedSession as EngineSession,
  type SolveCovering,
  type WhyNobody,
} from '@clinic/cover-engine';
import type { Explanation } from '@clinic/contract';
import { clockTime, DAY_END, DAY_START, formatTime, shortDate, slotStart, type IsoDate } from '@clinic/domain';
import { ELSEWHERE, isElsewhere } from '../problem/elsewhere.ts';
import type { PlannedDay } from '../problem/planned-day.ts';
import type { StoredDay } from '../problem/stored-proposal.ts';
import { askable } from './choices.ts';
import { findCell, type CellRef } from './find-cell.ts';

/** Explains a cell in words; null when the option has no such cell. `solve` finds what covering the cell would take. */
export async function explainCell(day: StoredDay, ref: CellRef, solve: SolveCovering): Promise<Explanation | null> {
  const found = findCell(day, ref);
  if (!found) return null;
  const { session, pieces, title, status } = found;
  const model = modelOf(day.planned.problem);
  const sessions: EngineSession[] = Object.entries(ref.option.pieces).map(([id, p]) => ({ session: id, pieces: p }));
  const plain = (sentence: string): Explanation => ({
    ...nothing(title, model.therapists.length),
    speaks_for: [sentence],
  });
  if (status === 'Cancel') return plain('The client is away then, so no therapist is needed.');
  const piece = pieces[0];
  if (!piece)
    return plain(
      `Time before ${clockTime(DAY_START)} and after ${clockTime(DAY_END)} is not planned: its therapist keeps it, or it stays unassigned.`,
    );
  const { plan } = readPlan(model, sessions);
  // An option stored by an earlier version may name a strategy that no longer exists.
  const strategy = Object.hasOwn(STRATEGIES, ref.option.strategy) ? ref.option.strategy : 'balanced';
  if (piece.therapistId === null) {
    const at = formatTime(piece.start);
    const stretch = uncoveredStretches(model, plan).find((s) => {
      const part = model.parts[s.part];
      return part?.session.id === session.id && formatTime(slotStart(s.from)) === at;
    });
    if (!stretch) return plain('No therapist has this time.');
    const why = whyNobody(model, plan, stretch, strategy);
    const excluded = excludedOf(day.planned, why);
    const takes = await whatItWouldTake(model, plan, stretch, solve);
    const isImpossible = takes.proven && !takes.possible;
    const [asked] = isImpossible ? askable({ model, plan, planned: day.planned, session, stretch, strategy }) : [];
    return {
      ...nothing(
        title,
        excluded.reduce((n, group) => n + group.count, 0),
      ),
      about: session.about ?? [],
      excluded,
      what_it_would_take: {
        possible: takes.possible,
        certain: takes.proven,
        words: asked ? `${takes.text} Ask ${asked.name} to ${asked.extra}?` : takes.text,
        changes: takes.changes.map((c) => c.text),
      },
    };
  }
  const place = findPiece(model, plan, session.id, formatTime(piece.start));
  if (!place) return plain('This time stays as it is booked.');
  const why = whyThisTherapist(model, plan, place, strategy);
  return {
    ...nothing(title, model.therapists.length),
    about: session.about ?? [],
    speaks_for: why.speaksFor.map((r) => r.text),
    costs: why.speaksAgainst.map((r) => r.text),
    hours: day.planned.standing?.[why.therapist?.id ?? ''] ?? null,
    next_best: why.next ? { therapist: why.next.name, difference: why.next.text } : null,
  };
}

/**
 * Groups by reason the therapists who cannot take the time. Every therapist is counted, even those who are not in the
 * problem.
 */
function excludedOf(planned: PlannedDay, { from, to, groups }: WhyNobody): Explanation['excluded'] {
  const { date, declined, off = [] } = planned;
  const within = groups.map(({ bar, text, therapists }) => ({
    bar,
    reason: text,
    therapists: therapists.map(({ id, name }) =>
      bar === 'declined' ? `${name}, ${declined?.[id] ?? 'said no'}` : name,
    ),
  }));
  const idle = off.flatMap(({ name, notEmployed }) => (notEmployed === null ? [name] : []));
  const gone = off.flatMap(({ notEmployed }) => notEmployed?.replace(/\.$/, '') ?? []);
  const unavailable = groups.find(({ bar }) => bar === 'not available')?.therapists ?? [];
  const isThere = ({ id }: { readonly id: string }): boolean => isElsewhere(planned, id, { from, to });
  const elsewhere = unavailable.filter(isThere).map(({ name }) => name);
  const notThen = [...unavailable.filter((each) => !isThere(each)).map(({ name }) => name), ...idle];
  const classes = [
    ...within.filter(({ bar }) => bar === 'away'),
    { reason: notThenWords(notThen.length), therapists: notThen },
    { reason: elsewhereWords(elsewhere.length), therapists: elsewhere },
    { reason: notHereWords(gone.length, date), therapists: gone },
    ...within.filter(({ bar }) => bar !== 'away' && bar !== 'not available'),
  ];
  return classes
    .filter(({ therapists }) => therapists.length > 0)
    .map(({ reason, therapists }) => ({ reason, count: therapists.length, therapists }));
}

const elsewhereWords = (n: number): string => `${n} ${n === 1 ? 'is' : 'are'} ${ELSEWHERE}`;
const notHereWords = (n: number, date: IsoDate): string =>
  `${n} ${n === 1 ? 'is' : 'are'} not with the clinic on ${shortDate(date)}`;

const nothing = (title: string, therapists: number): Explanation => ({
  title,
  about: [],
  speaks_for: [],
  costs: [],
  hours: null,
  next_best: null,
  excluded: [],
  therapists,
  what_it_would_take: null,
});
