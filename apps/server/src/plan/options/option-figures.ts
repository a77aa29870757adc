import {
  compareOptions,
  buildModel,
  modelOf,
  nearlySame,
  optionFigures,
  STRATEGIES,
  type CoverAnswer,
  type Lead,
} from '@clinic/cover-engine';
import type { ClientFigures, LeadFigure, OptionFigures } from '@clinic/contract';
import { SLOT_MINUTES, addFigures, listWords, parseTime, type CoverFigures } from '@clinic/domain';
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
  const model = planned.over === true ? buildModel(planned.problem, { calls: false }) : modelOf(planned.problem);
  const [first] = answer.options;
  const near = nearlySame(model, answer.options);
  const labels = labelsOf(planned, options);
  const figures = answer.options.map((made, i): [string, OptionFigures] => {
    const { name, strategy, proven } = options[i] as StoredOption;
    const { lead } = STRATEGIES[strategy];
    const { calls, notInYet, handovers, bcbaMinutes } = optionFigures(model, made);
    const nearest = near[i] ?? -1;
    const [same, earlier] = [options[nearest], answer.options[nearest]];
    const compared = i > 0 && first ? { compared: compareOptions(model, first, made).text } : {};
    return [
      name,
      {
        label: labels[i] ?? '',
        strategy,
        ...wireFigures(addFigures([...clients.values()].flatMap((of) => of.get(name) ?? []))),
        calls,
        ...(notInYet > 0 ? { not_in_yet: notInYet } : {}),
        cuts: handovers,
        bcba_minutes: bcbaMinutes,
        leads_in: lead && FIGURE_OF[lead.term],
        proven,
        ...compared,
        ...(same && earlier
          ? { nearly_the_same_as: same.name, nearly_the_same_in: compareOptions(model, earlier, made).text }
          : {}),
      },
    ];
  });
  return Object.fromEntries(figures);
}

/**
 * Makes the options' labels. A strategy says what it puts first. An alternative is named for whom it brings in: the
 * therapist who has most of the time that no earlier option gives to them, `Or with Ingrid Davis`, otherwise the two who
 * have most of the time that differs, or that less is covered.
 */
function labelsOf({ names }: PlannedDay, options: readonly StoredOption[]): string[] {
  const quarters = options.map(({ pieces }) => quartersOf(pieces));
  const labels: string[] = [];
  for (const [i, { strategy }] of options.entries()) {
    const { label } = STRATEGIES[strategy];
    if (strategy !== 'alternative') {
      labels.push(label);
      continue;
    }
    const earlier = quarters.slice(0, i);
    const own = [...(quarters[i] ?? [])];
    const brought = mostTime(own.filter(([at, who]) => earlier.every((of) => of.get(at) !== who)));
    const differs = mostTime(own.filter(([at, who]) => earlier.some((of) => of.get(at) !== who)));
    const said = [...brought.map((who) => [who]), differs.slice(0, 2)]
      .filter((who) => who.length > 0)
      .map((who) => `Or with ${listWords(who.map((id) => names[id] ?? ''))}`);
    const less = own.length < (earlier[0]?.size ?? 0) ? 'Or with less cover' : label;
    labels.push(said.find((each) => !labels.includes(each)) ?? less);
  }
  return labels;
}

/** The therapists of these quarters, those with most of them first. */
function mostTime(quarters: readonly (readonly [string, string])[]): string[] {
  const count = new Map<string, number>();
  for (const [, therapist] of quarters) count.set(therapist, (count.get(therapist) ?? 0) + 1);
  return [...count].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([therapist]) => therapist);
}

/** Who has each quarter of an hour of each session, by `session quarter`. */
function quartersOf(pieces: StoredOption['pieces']): Map<string, string> {
  const held = new Map<string, string>();
  for (const [session, parts] of Object.entries(pieces))
    for (const { therapist, start, end } of parts)
      if (therapist !== null)
        for (let at = parseTime(start) ?? 0; at < (parseTime(end) ?? 0); at += SLOT_MINUTES)
          held.set(`${session} ${at}`, therapist);
  return held;
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
