import {
  compareOptions,
  buildModel,
  nearlySame,
  optionFigures,
  STRATEGIES,
  type CoverAnswer,
  type Lead,
} from '@clinic/cover-engine';
import type { ClientFigures, LeadFigure, OptionFigures } from '@clinic/contract';
import { addFigures, type CoverFigures } from '@clinic/domain';
import type { PlannedDay, PlannedSession, Segment } from '../problem/planned-day.ts';
import { planFigures, type SessionPlan } from '../problem/plan-figures.ts';
import type { StoredOption } from '../problem/stored-proposal.ts';

/** A session that some option changes. */
export interface ListedSession {
  session: PlannedSession;
  /** What each option shows of the session, in the order of the options. */
  segments: Segment[][];
}

/** Returns the figures of each client in each option, by client and option. */
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

/** The figure in an option's heading that shows what the option's strategy puts first. */
const FIGURE_OF: Readonly<Record<Lead, LeadFigure>> = {
  call: 'calls',
  face: 'new_faces',
  change: 'cuts',
  bcba: 'bcba_minutes',
};

/** Returns the figures of each option, for comparing a day's options. */
export function figuresOf(
  planned: PlannedDay,
  answer: CoverAnswer,
  options: readonly StoredOption[],
  clients: ReadonlyMap<string, ReadonlyMap<string, CoverFigures>>,
): Record<string, OptionFigures> {
  const model = buildModel(planned.problem, { calls: planned.over !== true });
  const [first] = answer.options;
  const near = nearlySame(model, answer.options);
  const figures = answer.options.map((made, i): [string, OptionFigures] => {
    const { name, strategy, proven } = options[i] as StoredOption;
    const { lead } = STRATEGIES[strategy];
    const { calls, notInYet, handovers, bcbaMinutes } = optionFigures(model, made);
    const same = options[near[i] ?? -1];
    const compared = i > 0 && first ? { compared: compareOptions(model, first, made).text } : {};
    return [
      name,
      {
        label: labelOf(options, i),
        strategy,
        ...wireFigures(addFigures([...clients.values()].flatMap((of) => of.get(name) ?? []))),
        calls,
        ...(notInYet > 0 ? { not_in_yet: notInYet } : {}),
        cuts: handovers,
        bcba_minutes: bcbaMinutes,
        leads_in: lead && FIGURE_OF[lead.term],
        proven,
        ...compared,
        ...(same ? { nearly_the_same_as: same.name } : {}),
      },
    ];
  });
  return Object.fromEntries(figures);
}

/** Makes an option's label; alternatives are numbered if there are several. */
function labelOf(options: readonly StoredOption[], i: number): string {
  const option = options[i] as StoredOption;
  const { label } = STRATEGIES[option.strategy];
  const alternatives = options.filter((o) => o.strategy === 'alternative');
  return alternatives.length > 1 && option.strategy === 'alternative'
    ? `${label} ${alternatives.indexOf(option) + 1}`
    : label;
}

/** Returns each client's figures by option, as the API shows them. */
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
