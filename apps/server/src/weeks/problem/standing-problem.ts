// This file is over 250 lines because it holds every step from a therapist's sessions to the problem.
/**
 * Makes `standing-problem/1`: who takes the sessions of a therapist who is away for weeks. A series is a child or a group,
 * a weekday and a time. What no standing therapist can be asked to take stays out of the problem, with the reason.
 */
import {
  codeOf,
  compareText,
  contains,
  dayOfWeek,
  formatTime,
  groupBy,
  overlaps,
  priorityOf,
  pushTo,
  subtract,
  UNPAID_WEIGHT,
  type Interval,
  type IsoDate,
  type Service,
} from '@clinic/domain';
import { beyondGrid, onGrid } from '../../day/facts/grid-plan.ts';
import { groupOf, rootOf, type DatedAppointment } from '../../day/facts/day.ts';
import { brokenRules, isMendedByCover } from '../../day/session-rules.ts';
import { unpaidIn } from '../../ledgers/count/authorizations.ts';
import {
  freeTimes,
  isNewHere,
  problemClient,
  problemTherapists,
  type FreeOn,
  type ProblemClient,
  type ProblemTherapist,
} from './people-part.ts';
import type { WeeksClient, WeeksFacts } from './weeks-facts.ts';

/** Whose sessions need a standing therapist, and when they are away. */
export interface Away extends Interval {
  readonly therapist: string;
  readonly from: IsoDate;
  readonly until: IsoDate;
  /** The weekdays on which they are away, from Sunday 0; all when left out. */
  readonly weekdays?: readonly number[] | undefined;
}

export type ClientService = Exclude<Service, 'admin'>;

export interface StandingProblem {
  format: 'standing-problem/1';
  dates: IsoDate[];
  therapists: ProblemTherapist[];
  clients: ProblemClient[];
  series: {
    id: string;
    client: string;
    service: ClientService;
    start: string;
    end: string;
    dates: IsoDate[];
    weight: number;
  }[];
  declined: { therapist: string; series: string }[];
}

/** A series of the problem, with the appointments that it stands for. */
export interface StandingSeries extends Interval {
  readonly id: string;
  readonly weekday: number;
  readonly service: ClientService;
  readonly subject: string;
  readonly clientIds: readonly string[];
  /** For each date, the appointments of the session: one, or one for each child of a group. */
  readonly rows: Readonly<Record<string, readonly DatedAppointment[]>>;
}

/** A session of the range that the problem leaves out, and why. */
export interface LeftOut {
  readonly row: DatedAppointment;
  readonly why: 'planned' | 'told' | 'partly' | 'early-or-late';
}

export interface StandingWeeks {
  readonly away: Away;
  readonly problem: StandingProblem;
  readonly series: readonly StandingSeries[];
  readonly leftOut: readonly LeftOut[];
  readonly freeOn: FreeOn;
}

/** Whether an appointment is one of the sessions that the absence takes. */
export const isTaken = (row: DatedAppointment, away: Away, today: IsoDate): boolean =>
  row.therapistId === away.therapist &&
  row.clientId !== null &&
  row.occupies &&
  row.date > today &&
  away.from <= row.date &&
  row.date <= away.until &&
  (away.weekdays?.includes(dayOfWeek(row.date)) ?? true) &&
  overlaps(row, away);

/** What stays as it is: sessions whose families were told about that date, by key, and what these commits decided. */
interface Kept {
  readonly told: ReadonlySet<string>;
  readonly planned: ReadonlySet<string>;
}

export function standingWeeks(facts: WeeksFacts, away: Away, kept: Kept): StandingWeeks {
  const mine = facts.sessions.filter((row) => row.location === facts.location && isTaken(row, away, facts.today));
  const leftOut: LeftOut[] = [];
  const taken: DatedAppointment[] = [];
  for (const row of mine) {
    const why = whyLeftOut(row, away, kept);
    if (why) leftOut.push({ row, why });
    else taken.push(row);
  }
  const series = seriesOf(taken, facts);
  const dates = [...new Set(series.flatMap(({ rows }) => Object.keys(rows)))].sort(compareText) as IsoDate[];
  const freeOn = freeTimes(facts);
  const { blocked, declined } = faultsOf(facts, series, freeOn, away.therapist);
  const needed = groupBy(
    series.flatMap((each) => Object.keys(each.rows).map((date) => ({ date, ...gridOf(each) }))),
    ({ date }) => date,
  );
  const clients = clientsOf(facts, series);
  const weights = weightsOf(facts, taken);
  return {
    away,
    series,
    leftOut,
    freeOn,
    problem: {
      format: 'standing-problem/1',
      dates,
      therapists: problemTherapists(facts, dates, {
        except: [away.therapist],
        freeOn,
        blocked: (id, date) => blocked.get(`${id} ${date}`) ?? [],
        wanted: (date) => needed.get(date) ?? [],
      }),
      clients,
      series: series.map((each) => ({
        id: each.id,
        client: clientKey(each.clientIds),
        service: each.service,
        start: formatTime(gridOf(each).start),
        end: formatTime(gridOf(each).end),
        dates: datesOf(each),
        weight: weights(each),
      })),
      declined,
    },
  };
}

function whyLeftOut(row: DatedAppointment, away: Away, { told, planned }: Kept): LeftOut['why'] | null {
  if (row.commitId !== null && planned.has(row.commitId)) return 'planned';
  if (told.has(row.key)) return 'told';
  if (beyondGrid(row).length > 0) return 'early-or-late';
  return contains(away, row) ? null : 'partly';
}

export const datesOf = ({ rows }: Pick<StandingSeries, 'rows'>): IsoDate[] =>
  (Object.keys(rows) as IsoDate[]).sort(compareText);

/** The quarter hours of a session. */
export function gridOf(session: Interval): Interval {
  const grid = onGrid(session);
  if (!grid) throw new Error('a session outside the hours of the day');
  return { start: grid.start, end: grid.end };
}

/** A client's id in the problem; a group has an id of its own. */
export const clientKey = (ids: readonly string[]): string =>
  ids.length === 1 ? (ids[0] ?? '') : `group:${ids.join('+')}`;

/** Groups a therapist's sessions into series. Two that are alike on one date are two series. */
function seriesOf(rows: readonly DatedAppointment[], { clients }: WeeksFacts): StandingSeries[] {
  const sessions = groupBy(rows, (row) => `${row.date} ${groupOf(row)}`);
  const series = new Map<
    string,
    { -readonly [K in keyof StandingSeries]: StandingSeries[K] } & { rows: Record<string, DatedAppointment[]> }
  >();
  for (const own of sessions.values()) {
    const [first] = own;
    if (!first || first.service === 'admin') continue;
    const { date, start, end, service, subject } = first;
    const clientIds = own.flatMap(({ clientId }) => clientId ?? []).sort(compareText);
    if (clientIds.some((id) => !clients.has(id))) continue;
    const weekday = dayOfWeek(date);
    const alike = [clientKey(clientIds), service, weekday, formatTime(start), formatTime(end)].join(' ');
    for (let n = 1; ; n++) {
      const id = n === 1 ? alike : `${alike} ${n}`;
      const known = series.get(id);
      if (known && date in known.rows) continue;
      if (known) known.rows[date] = own;
      else series.set(id, { id, weekday, start, end, service, subject, clientIds, rows: { [date]: own } });
      break;
    }
  }
  return [...series.values()].sort((a, b) => compareText(a.id, b.id));
}

function clientsOf(facts: WeeksFacts, series: readonly StandingSeries[]): ProblemClient[] {
  return [...groupBy(series, ({ clientIds }) => clientKey(clientIds))]
    .map(([key, own]) => {
      const members = membersOf(facts, own[0]?.clientIds ?? []);
      // What the child loses in a week in which nobody comes.
      const lost = own.reduce((sum, { start, end }) => sum + end - start, 0);
      const priority = members.reduce((sum, m) => sum + priorityOf(m.priority, m.care, { booked: lost, lost }), 0);
      return problemClient(key, members, priority);
    })
    .sort((a, b) => compareText(a.id, b.id));
}

const membersOf = ({ clients }: WeeksFacts, ids: readonly string[]): WeeksClient[] =>
  ids.flatMap((id) => clients.get(id) ?? []);

/** The sessions of these appointments' clients that no authorization pays for, by key. */
export function unpaidOf(facts: WeeksFacts, taken: readonly DatedAppointment[]): ReadonlySet<string> {
  const ids = new Set(taken.map(({ clientId }) => clientId));
  const billed = facts.sessions
    .filter((row) => ids.has(row.clientId) && row.date >= facts.from && row.date <= facts.until)
    .flatMap(({ key, clientId, date, start, end, service, subject }) =>
      clientId === null
        ? []
        : [{ key, client: clientId, date, start, minutes: end - start, code: codeOf(service, subject) }],
    );
  return unpaidIn(facts.uses, billed);
}

/** Returns how much a series counts, in percent: sessions that no authorization pays for count less, as on their days. */
function weightsOf(facts: WeeksFacts, taken: readonly DatedAppointment[]): (series: StandingSeries) => number {
  const unpaid = unpaidOf(facts, taken);
  return ({ rows }) => {
    const all = Object.values(rows).map((own) => (own.every(({ key }) => unpaid.has(key)) ? UNPAID_WEIGHT : 100));
    return Math.round(all.reduce((a, b) => a + b, 0) / all.length);
  };
}

/**
 * Finds what a problem cannot say by its own rules: on single dates, a credential or a tag that ends, a payer's
 * requirement, a no, somebody too new. On such a date the therapist's time is blocked; a therapist to whom it applies on
 * every date on which they are free counts as having declined. It asks the same rules that check a booked session.
 */
function faultsOf(facts: WeeksFacts, series: readonly StandingSeries[], freeOn: FreeOn, except: string) {
  const blocked = new Map<string, Interval[]>();
  const declined: StandingProblem['declined'] = [];
  for (const therapist of facts.therapists.keys()) {
    if (therapist === except) continue;
    for (const each of series) {
      const able = datesOf(each).filter((date) => isFree(freeOn(therapist, date), gridOf(each)));
      const faulty = able.filter((date) => whyNot(facts, therapist, each, date) !== null);
      if (faulty.length === 0) continue;
      if (faulty.length === able.length) declined.push({ therapist, series: each.id });
      else for (const date of faulty) pushTo(blocked, `${therapist} ${date}`, gridOf(each));
    }
  }
  return { blocked, declined };
}

/** Whether all of a time is free, administrative time included. */
export const isFree = ({ free, admin }: ReturnType<FreeOn>, time: Interval): boolean =>
  subtract([time], [...free, ...admin]).length === 0;

/** Why a therapist may not take a session of a series on a date, in a sentence; null when they may. */
export function whyNot(facts: WeeksFacts, therapistId: string, series: StandingSeries, date: IsoDate): string | null {
  const therapist = facts.therapists.get(therapistId);
  if (!therapist) return 'They do not work here.';
  for (const row of series.rows[date] ?? []) {
    const client = facts.clients.get(row.clientId ?? '');
    if (!client) continue;
    const known = client.knows.has(therapistId);
    const said = facts.declines.find(
      (d) => d.therapistId === therapistId && d.date === date && d.sessions.includes(rootOf(row)),
    );
    if (said)
      return said.clientId === null ? `${therapist.name} said no.` : `${client.name}’s family asked for someone else.`;
    const { key, start, end, location, service, subject } = row;
    const session = {
      id: key,
      root: rootOf(row),
      date,
      start,
      end,
      location,
      service,
      subject,
      client,
      therapist,
      known,
    };
    const broken = brokenRules({ ...session, isSpent: false, closed: null, agreed: [{ start, end }] });
    const first = broken.find(({ rule }) => isMendedByCover(rule));
    if (first) return first.why;
    if (!known && isNewHere(therapist, date, facts))
      return `${therapist.name} is new here and sees only children who know them.`;
    if (!known && service === 'parent-training') return `${client.name} does not know ${therapist.name}.`;
  }
  return null;
}
