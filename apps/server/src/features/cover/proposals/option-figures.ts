import { compareOptions, buildModel, STRATEGY_LABELS, type CoverAnswer } from '@clinic/cover-engine';
import type { ClientFigures, OptionFigures } from '@clinic/contract';
import { addFigures, type CoverFigures } from '@clinic/domain';
import type { PlannedDay, PlannedSession, Segment } from '../plan/planned-day.ts';
import { planFigures, type SessionPlan } from '../plan/plan-figures.ts';
import type { StoredOption } from '../plan/stored-proposal.ts';
import { optionWords } from './option-words.ts';

/** A session that some option changes. */
export interface ListedSession {
  session: PlannedSession;
  /** By option, what is shown of it. */
  segments: Segment[][];
}

/** Each client's share of each option: client, option. */
export function clientFigures(
  planned: PlannedDay,
  options: readonly StoredOption[],
  listed: ReadonlyMap<string, readonly ListedSession[]>,
): Map<string, Map<string, CoverFigures>> {
  const plansIn = (sessions: readonly ListedSession[], i: number): SessionPlan[] =>
    sessions.map(({ session, segments }) => ({ session, segments: segments[i] ?? [] }));
  return new Map(
    [...listed].map(([name, sessions]) => [
      name,
      new Map(options.map((o, i) => [o.name, planFigures(planned, plansIn(sessions, i))])),
    ]),
  );
}

/** The figures by which people compare a day's options, option by option. */
export function figuresOf(
  planned: PlannedDay,
  answer: CoverAnswer,
  options: readonly StoredOption[],
  clients: ReadonlyMap<string, ReadonlyMap<string, CoverFigures>>,
): Record<string, OptionFigures> {
  const model = buildModel(planned.problem);
  const alternatives = options.filter((o) => o.strategy === 'alternative');
  const [first] = answer.options;
  const entries = options.map((option, i) => {
    const label = STRATEGY_LABELS[option.strategy];
    const made = answer.options[i];
    const compared =
      i > 0 && first && made ? optionWords(option.strategy, compareOptions(model, first, made)) : undefined;
    const figures: OptionFigures = {
      label:
        alternatives.length > 1 && option.strategy === 'alternative'
          ? `${label} ${alternatives.indexOf(option) + 1}`
          : label,
      strategy: option.strategy,
      ...wireFigures(addFigures([...clients.values()].flatMap((of) => of.get(option.name) ?? []))),
      proven: option.proven,
      ...(compared === undefined ? {} : { compared }),
    };
    return [option.name, figures] as const;
  });
  return Object.fromEntries(entries);
}

/** The clients' shares of the options' figures, as the API shows them. */
export const presentClients = (
  clients: ReadonlyMap<string, ReadonlyMap<string, CoverFigures>>,
): Record<string, Record<string, ClientFigures>> =>
  Object.fromEntries(
    [...clients].map(([name, of]) => [
      name,
      Object.fromEntries([...of].map(([option, figures]) => [option, wireFigures(figures)])),
    ]),
  );

const wireFigures = (f: CoverFigures): ClientFigures => ({
  sessions: f.sessions,
  changes: f.changes,
  minutes_needed: f.minutesNeeded,
  minutes_kept: f.minutesKept,
  minutes_uncovered: f.minutesUncovered,
  new_faces: f.newFaces,
});
