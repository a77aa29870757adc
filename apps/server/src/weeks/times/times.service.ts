import {
  addDays,
  bookingHorizon,
  compareText,
  daysBetween,
  formatTime,
  mondayOf,
  serviceOfSubject,
  weeklyDates,
  type IsoDate,
} from '@clinic/domain';
import type { TimesChange, TimesReply, TimesWay, TimesWish } from '@clinic/contract';
import type { TimesOption } from '@clinic/weeks-engine';
import type { Act } from '../../access/act.ts';
import { mayWorkAt } from '../../access/caller.ts';
import { MOST_DAYS } from '../../book/book.ts';
import { planDates } from '../../book/series-dates.ts';
import type { Wanted } from '../../book/wanted.ts';
import type { WallPresent } from '../../day/facts/present.ts';
import { filledUntil } from '../../day/facts/filled-until.ts';
import type { Db } from '../../db/connection.ts';
import { findPerson } from '../../people/people.ts';
import type { Solver } from '../../plan/options/solver.ts';
import { refusal } from '../../platform/refusal.ts';
import { loadWeeks, type WeeksFacts } from '../problem/weeks-facts.ts';
import { changesOf, isBetter } from './changes.ts';
import { SUBJECT_OF, timeOf, timesProblem, timesWeeks, type TimesWeeks, type Wish } from './times-problem.ts';
import { earlierReasons, tallyOf, wayWords } from './words.ts';

interface Asked {
  readonly db: Db;
  readonly solver: Pick<Solver, 'solveWeeks'>;
  readonly act: Pick<Act, 'gone'> & { readonly caller: Pick<Act['caller'], 'id' | 'locations'> };
  readonly wall: WallPresent;
}

interface Loaded {
  readonly facts: WeeksFacts;
  readonly wish: Wish;
  readonly range: readonly [IsoDate, IsoDate];
}

async function load({ db, act, wall }: Asked, wish: TimesWish): Promise<Loaded> {
  const place = { location: wish.location, date: wish.from };
  const mayKnow = (location: TimesWish['location']): boolean => mayWorkAt(act.caller, location);
  const client = await findPerson(db, 'client', wish.client, place, mayKnow);
  const from = wish.from > wall.date ? wish.from : addDays(wall.date, 1);
  const until = wish.until ?? null;
  if (until !== null && until < from) throw refusal('times-end-too-early');
  if (until !== null && daysBetween(from, until) > MOST_DAYS) throw refusal('series-too-long');
  const only = [];
  for (const name of wish.only ?? []) only.push((await findPerson(db, 'therapist', name, place, mayKnow)).id);
  const horizon = bookingHorizon(wall.date, from);
  const range = [from, until !== null && until < horizon ? until : horizon] as const;
  const facts = await loadWeeks(db, { location: wish.location, from: range[0], until: range[1] }, [client.id], wall);
  return { facts, range, wish: readWish(wish, client.id, only) };
}

function readWish(wish: TimesWish, clientId: string, only: readonly string[]): Wish {
  const { client: _, windows, except = [], only: __, ...rest } = wish;
  return {
    ...rest,
    clientId,
    subject: SUBJECT_OF[wish.service],
    windows: windows.map(({ weekday, start, end }) => ({ weekday, start: timeOf(start), end: timeOf(end) })),
    except: new Set(except),
    only: wish.only === undefined || wish.only.length === 0 ? null : new Set(only),
  };
}

const asker = ({ act }: Asked) => ({ account: act.caller.id, gone: act.gone });

/** Solves a wish: the best ways, each with the dates on which a booking would hold it. */
async function solve(
  asked: Asked,
  { facts, wish, range }: Loaded,
  most = Infinity,
): Promise<{ weeks: TimesWeeks; ways: TimesWay[] }> {
  const weeks = timesWeeks(facts, wish, range);
  if (weeks.dates.length === 0) return { weeks, ways: [] };
  const answer = await asked.solver.solveWeeks(timesProblem(weeks), asker(asked));
  if (answer.refused) throw refusal('times-unreadable');
  const ways: TimesWay[] = [];
  for (const option of answer.options.slice(0, most))
    if (isTimes(option)) ways.push(await wayOf(asked, weeks, option, range));
  return { weeks, ways: ways.filter(({ held }) => held > 0) };
}

const isTimes = (option: object): option is TimesOption => 'sessions' in option;

/** An option as it would be booked: `planDates` says which dates are held, as it does when the series are booked. */
async function wayOf(
  { db, act, wall }: Asked,
  { facts, client, wish }: TimesWeeks,
  option: TimesOption,
  [from, through]: readonly [IsoDate, IsoDate],
): Promise<TimesWay> {
  const sessions = option.sessions.map((each) => ({ ...each, at: timeOf(each.start) }));
  const wanted = sessions.flatMap(({ weekday, at, therapist }) =>
    weeklyDates(weekday, from, through)
      .filter((date) => !wish.except.has(date))
      .map((date): Wanted => ({
        location: facts.location,
        date,
        start: at,
        end: at + wish.minutes,
        clientId: client.id,
        therapistId: therapist,
        service: serviceOfSubject(wish.subject),
        subject: wish.subject,
        status: null,
      })),
  );
  const plan = await planDates(db, wanted, {
    caller: act.caller,
    now: wall,
    passes: () => false,
    coversAway: false,
  });
  const ids = [...new Set(sessions.map(({ therapist }) => therapist))];
  const first = plan.made[0]?.date ?? null;
  const people = ids.flatMap((id) => {
    const therapist = facts.therapists.get(id);
    if (!therapist) return [];
    const before = minutesIn(facts, id, first ?? from);
    const added = sessions.filter((each) => each.therapist === id).length * wish.minutes;
    const knows = client.knows.get(id) ?? ('new' as const);
    return [{ therapist: therapist.name, knows, before, after: before + added, most: therapist.limits.week }];
  });
  const nameOf = (id: string): string => facts.therapists.get(id)?.name ?? '';
  return {
    days: sessions.map(({ weekday, at, therapist }) => ({
      weekday,
      start: formatTime(at),
      end: formatTime(at + wish.minutes),
      therapist: nameOf(therapist),
    })),
    people,
    why: wayWords(client.name, people, new Set(sessions.map(({ at }) => at)).size, plan.made.length, wanted.length),
    first,
    held: plan.made.length,
    dates: wanted.length,
    missed: plan.skipped.map(({ wanted: { date }, why }) => ({ date, why })),
    proven: option.proven,
  };
}

/** A therapist's booked minutes in the week of a date. */
const minutesIn = ({ sessions }: WeeksFacts, id: string, date: IsoDate): number =>
  sessions.reduce(
    (sum, row) => (row.therapistId === id && mondayOf(row.date) === mondayOf(date) ? sum + row.end - row.start : sum),
    0,
  );

/** The best weekly times for new sessions of a client, why none is earlier, and how many therapists may. */
export async function findTimes(asked: Asked, wish: TimesWish): Promise<{ clientId: string; reply: TimesReply }> {
  const loaded = await load(asked, wish);
  const { weeks, ways } = await solve(asked, loaded);
  const tally = tallyOf(weeks);
  const [best] = ways;
  return {
    clientId: loaded.wish.clientId,
    reply: {
      through: loaded.range[1],
      filled_until: await filledUntil(asked.db, wish.location, [asked.wall.date, loaded.range[1]]),
      may: tally.may.length,
      of: tally.of,
      mayNot: tally.mayNot,
      ways,
      earlier: best ? earlierReasons(weeks, tally.may, best) : null,
    },
  };
}

/** The most changes that are shown. */
const MOST_CHANGES = 3;

/** Single changes of the wish that would give a better way than the best one now, the best change first. */
export async function findChanges(
  asked: Asked,
  wish: TimesWish,
): Promise<{ clientId: string; changes: TimesChange[] }> {
  const loaded = await load(asked, wish);
  const { ways } = await solve(asked, loaded);
  const found: TimesChange[] = [];
  for (const { what, wish: changed } of changesOf(wish, ways)) {
    const only = [...(loaded.wish.only ?? [])];
    const read = readWish(changed, loaded.wish.clientId, changed.only === undefined ? [] : only);
    const [way] = (await solve(asked, { ...loaded, wish: read }, 1)).ways;
    if (way && isBetter(way, ways[0])) found.push({ what, wish: changed, way });
  }
  const rank = ({ way }: TimesChange): string =>
    [way.dates - way.held, way.people.length, way.days[0]?.start ?? '']
      .map((part) => String(part).padStart(4, '0'))
      .join();
  return {
    clientId: loaded.wish.clientId,
    changes: found.sort((a, b) => compareText(rank(a), rank(b))).slice(0, MOST_CHANGES),
  };
}
