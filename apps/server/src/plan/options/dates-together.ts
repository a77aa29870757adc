import { buildModel, checkSessions, type CoverAnswer, type CoverProblem } from '@clinic/cover-engine';
import {
  addedOn,
  findFaults,
  mapValues,
  mondayOf,
  type Choice,
  type IsoDate,
  type MixFacts,
  type MixHours,
  type OneChoice,
} from '@clinic/domain';
import type { ClinicDay } from '../../day/facts/day.ts';
import type { PlannedDay, PlannedSession } from '../problem/planned-day.ts';
import { segmentsOf, statusOf } from '../problem/segments.ts';
import type { StoredOption } from '../problem/stored-proposal.ts';
import type { ToProblemOptions } from '../problem/to-problem.ts';
import { dayOptions, type DayOptions } from './day-options.ts';
import { hoursOf } from './mix-hours.ts';

/** A date's options, with all that is needed to check a mix of them. */
export interface MixedDay extends DayOptions {
  /** The hours of the therapists who could take sessions, by name. */
  readonly hours: Record<string, MixHours>;
  /** Whether time ran out before it was known that there are no further options. */
  readonly unfinished: boolean;
}

/** The choices that make a client know a therapist, by the client's and the therapist's id. */
type Meetings = Map<string, Map<string, OneChoice[]>>;

/**
 * Makes the options of a proposal's dates. The options of one date affect the other dates: they use hours of the same
 * week, and clients come to know therapists. Option 1 of each date is solved together with Option 1 of the earlier
 * dates.
 */
export class DatesTogether {
  readonly #of: { readonly proposal: string; readonly revision: number };
  readonly days: MixedDay[] = [];
  /** The dates that are still to be solved, with the sessions that their pins change. */
  readonly #pinned = new Map<string, MixedDay>();
  readonly #meetings: Meetings = new Map();

  constructor(of: { readonly proposal: string; readonly revision: number }) {
    this.#of = of;
  }

  /** What the options of the other dates change in a date's problem. */
  before(date: IsoDate): Pick<ToProblemOptions, 'extraTeam' | 'added'> {
    const extraTeam = new Map<string, Set<string>>();
    for (const [client, therapists] of this.#meetings)
      for (const [therapist, choices] of therapists)
        if (choices.some(({ option }) => option === FIRST))
          extraTeam.set(client, (extraTeam.get(client) ?? new Set()).add(therapist));
    const added = new Map<string, number>();
    for (const day of [...this.days, ...this.#pinned.values()]) {
      const { planned } = day.stored;
      if (planned.date === date || mondayOf(planned.date) !== mondayOf(date)) continue;
      const ids = new Map(Object.entries(planned.names).map(([id, name]) => [name, id]));
      for (const [name, minutes] of addedOn(planned.date, factsOf([day]), choiceOf(day, 0))) {
        const id = ids.get(name) ?? '';
        added.set(id, (added.get(id) ?? 0) + minutes);
      }
    }
    return { extraTeam, added };
  }

  /** Reserves the hours that a date's pins need, so that plans for earlier dates do not use them up. */
  reserve(day: ClinicDay, planned: PlannedDay): void {
    const sessions = planned.problem.pins ?? [];
    const pinned = { strategy: 'balanced' as const, proven: false, bound: null, score: { total: 0 }, sessions };
    this.#pinned.set(day.date, this.#mixed(day, planned, { format: 'cover-options/1', options: [pinned] }));
  }

  /**
   * Adds those options of a date that fit together with the other dates' options of the same name. The first option
   * always fits, because its problem takes the other dates into account.
   * @param alone returns the date's problem as it would be without the other dates
   */
  add(day: ClinicDay, planned: PlannedDay, alone: () => CoverProblem, answer: CoverAnswer): void {
    this.#pinned.delete(day.date);
    const offered = this.#withMeetings(this.#mixed(day, planned, answer), day, alone, answer);
    const fitting: CoverAnswer['options'] = [];
    for (const [i, option] of answer.options.entries())
      if (i === 0 || this.#fits(offered, i, fitting.length)) fitting.push(option);
    const kept = { ...answer, options: fitting };
    const all = fitting.length === answer.options.length;
    const added = all ? offered : this.#withMeetings(this.#mixed(day, planned, kept), day, alone, kept);
    this.days.push(added);
    this.#remember(added);
  }

  #mixed(day: ClinicDay, planned: PlannedDay, answer: CoverAnswer): MixedDay {
    const options = dayOptions(planned, answer, this.#of.proposal, this.#of.revision);
    return { ...options, hours: hoursOf(day, options.stored), unfinished: answer.unfinished !== undefined };
  }

  /** Whether a date's option fits together with the options at the same position on the other dates. */
  #fits(offered: MixedDay, option: number, position: number): boolean {
    const pinned = [...this.#pinned.values()];
    const choices = [
      ...[...this.days, ...pinned].map((day) => [day.stored.planned.date, choiceOf(day, position)] as const),
      [offered.stored.planned.date, choiceOf(offered, option)] as const,
    ];
    return findFaults(factsOf([...this.days, ...pinned, offered]), Object.fromEntries(choices)).length === 0;
  }

  /** Marks the claims that are possible only because the client came to know the therapist on an earlier date. */
  #withMeetings(offered: MixedDay, day: ClinicDay, alone: () => CoverProblem, answer: CoverAnswer): MixedDay {
    if (this.#meetings.size === 0) return offered;
    const model = buildModel({ ...alone(), pins: [] });
    const { planned, listed } = offered.stored;
    const byId = new Map(planned.sessions.map((session) => [session.id, session]));
    const clientOf = new Map(listed.flatMap(({ name, sessions }) => sessions.map((id) => [id, name] as const)));
    const claims = { ...offered.claims };
    for (const [i, option] of answer.options.entries()) {
      const strange = checkSessions(model, option.sessions).filter(({ name }) => NEED_KNOWLEDGE.has(name));
      for (const id of new Set(strange.map(({ session }) => session))) {
        const session = byId.get(id);
        const client = clientOf.get(id);
        if (!session || client === undefined) continue;
        claims[client] = mapValues(claims[client] ?? {}, (own, name) =>
          name !== `Option ${i + 1}`
            ? own
            : own.map((claim) => {
                const therapist =
                  claim.other && Object.keys(planned.names).find((t) => planned.names[t] === claim.therapist);
                const knownBy = therapist ? this.#meetingsOf(session, therapist, day) : [];
                return knownBy.length > 0 ? { ...claim, knownBy } : claim;
              }),
        );
      }
    }
    return { ...offered, claims };
  }

  /**
   * For each member who would not know the therapist otherwise: the choices through which the member comes to know the
   * therapist.
   */
  #meetingsOf(session: PlannedSession, therapist: string, day: ClinicDay): OneChoice[][] {
    return session.rows.flatMap(({ clientId }) => {
      const client = day.clients.find(({ id }) => id === clientId);
      const known = client?.knows.get(therapist);
      if (!client || known === 'team' || (known === 'known' && !client.careTeamOnly)) return [];
      const choices = this.#meetings.get(clientId)?.get(therapist);
      return choices ? [[...choices]] : [];
    });
  }

  #remember({ stored: { planned, options, listed } }: MixedDay): void {
    const byId = new Map(planned.sessions.map((session) => [session.id, session]));
    for (const option of options)
      for (const { name, sessions } of listed)
        for (const id of sessions) {
          const session = byId.get(id);
          if (!session) continue;
          for (const therapist of takersOf(session, option))
            for (const { clientId } of session.rows) {
              const own = this.#meetings.get(clientId) ?? new Map<string, OneChoice[]>();
              const choices = own.get(therapist) ?? [];
              choices.push({ date: planned.date, client: name, option: option.name });
              this.#meetings.set(clientId, own.set(therapist, choices));
            }
        }
  }
}

const FIRST = 'Option 1';
/** The rules that a piece may break because the client does not know the therapist. */
const NEED_KNOWLEDGE: ReadonlySet<string> = new Set(['mayServe', 'unaffected']);

/** Finds the therapists who take over a session in an option, leaving out past time. */
const takersOf = (session: PlannedSession, { pieces }: StoredOption): Set<string> =>
  new Set(
    segmentsOf(session, pieces[session.id]).flatMap((segment) => {
      const status = statusOf(session, segment);
      const takes = !segment.past && (status === 'Cover' || status === 'Swap');
      return takes && segment.therapistId !== null ? [segment.therapistId] : [];
    }),
  );

const factsOf = (days: readonly MixedDay[]): MixFacts => ({
  claims: Object.fromEntries(days.map(({ stored, claims }) => [stored.planned.date, claims])),
  hours: Object.fromEntries(days.map(({ stored, hours }) => [stored.planned.date, hours])),
});

/** Returns, for every client of a date, the option at this position, or the first option if there are fewer options. */
function choiceOf({ stored, claims }: MixedDay, position: number): Choice {
  const option = (stored.options[position] ?? stored.options[0])?.name ?? FIRST;
  return mapValues(claims, () => option);
}
