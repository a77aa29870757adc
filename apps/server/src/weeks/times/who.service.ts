/** Who could use a therapist's free time on a day of the week. */
import { sql } from 'kysely';
import {
  addDays,
  bookingHorizon,
  compareNames,
  formatTime,
  overlaps,
  union,
  weeklyDates,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import type { Could } from '@clinic/contract';
import type { Act } from '../../access/act.ts';
import { mayWorkAt } from '../../access/caller.ts';
import type { WallPresent } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { findPerson } from '../../people/people.ts';
import { freeTimes } from '../problem/people-part.ts';
import { loadWeeks, type WeeksFacts } from '../problem/weeks-facts.ts';
import { timesWeeks, SUBJECT_OF, type Wish } from './times-problem.ts';

/** The shortest free time that is offered, and the step in which it is looked for. */
const LEAST = 60;
const STEP = 30;
const MOST = 20;
const KNOWS = ['team', 'known', 'new'] as const;

/** The therapist's free time on a weekday, and the clients who could use it: those who lost most care come first. */
export async function whoCould(
  db: Db,
  act: { readonly caller: Pick<Act['caller'], 'locations'> },
  wall: WallPresent,
  { location, therapist: name, weekday }: { location: Location; therapist: string; weekday: number },
): Promise<{ clients: string[]; free: Interval[]; could: Could[] }> {
  const from = addDays(wall.date, 1);
  const through = bookingHorizon(wall.date, from);
  const mayKnow = (at: Location): boolean => mayWorkAt(act.caller, at);
  const therapist = await findPerson(db, 'therapist', name, { location, date: from }, mayKnow);
  const clients = await db
    .selectFrom('client')
    .select('id')
    .where('location', '=', location)
    .where(sql<boolean>`(end_date is null or end_date >= ${from}::date)`)
    .orderBy('id')
    .execute();
  const ids = clients.map(({ id }) => id);
  const facts = await loadWeeks(db, { location, from, until: through }, ids, wall);
  const dates = weeklyDates(weekday, from, through);
  const freeOn = freeTimes(facts);
  const free = mostly(dates, (date, time) =>
    freeOn(therapist.id, date).free.some((window) => window.start <= time.start && time.end <= window.end),
  );
  const could = ids.flatMap((id) =>
    couldUse(facts, id, therapist.id, { weekday, dates, free, range: [from, through] }),
  );
  const order = (a: Could, b: Could): number =>
    b.lost - a.lost || KNOWS.indexOf(a.knows) - KNOWS.indexOf(b.knows) || compareNames(a.client, b.client);
  const shown = could.sort((a, b) => order(a.could, b.could)).slice(0, MOST);
  return { clients: shown.map(({ id }) => id), free, could: shown.map((each) => each.could) };
}

/** The times of day, in half hours, that hold on at least half of the dates; only stretches of at least an hour. */
function mostly(dates: readonly IsoDate[], holds: (date: IsoDate, time: Interval) => boolean): Interval[] {
  const steps: Interval[] = [];
  for (let start = 420; start < 1140; start += STEP) {
    const time = { start, end: start + STEP };
    if (dates.filter((date) => holds(date, time)).length * 2 >= dates.length) steps.push(time);
  }
  return union(steps).filter(({ start, end }) => end - start >= LEAST);
}

function couldUse(
  facts: WeeksFacts,
  id: string,
  therapistId: string,
  at: {
    readonly weekday: number;
    readonly dates: readonly IsoDate[];
    readonly free: readonly Interval[];
    readonly range: readonly [IsoDate, IsoDate];
  },
): { id: string; could: Could }[] {
  const client = facts.clients.get(id);
  if (!client) return [];
  const wish: Wish = {
    location: facts.location,
    clientId: id,
    sessions: 1,
    minutes: LEAST,
    people: 1,
    service: 'direct',
    subject: SUBJECT_OF.direct,
    from: at.range[0],
    windows: at.free.map((window) => ({ ...window, weekday: at.weekday })),
    except: new Set(),
    only: null,
  };
  const { barOn, busyOn } = timesWeeks(facts, wish, at.range);
  if (at.dates.filter((date) => barOn(therapistId, date) === null).length * 2 < at.dates.length) return [];
  const own = mostly(
    at.dates,
    (date, time) =>
      at.free.some((window) => window.start <= time.start && time.end <= window.end) &&
      !busyOn(date).some((each) => overlaps(each, time)),
  );
  const [longest] = own.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  if (!longest) return [];
  const { start, end } = longest;
  const could = {
    client: client.name,
    start: formatTime(start),
    end: formatTime(end),
    knows: client.knows.get(therapistId) ?? ('new' as const),
    lost: client.care.lost,
  };
  return [{ id, could }];
}
