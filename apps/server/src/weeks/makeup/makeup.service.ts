import { randomUUID } from 'node:crypto';
import {
  addDays,
  duration,
  formatTime,
  isoDate,
  parseTime,
  type IsoDate,
  type Location,
  datesFrom,
} from '@clinic/domain';
import { MAKE_UP_SUBJECT, type MakeupPiece, type MakeupWish, type makeupEndpoints } from '@clinic/contract';
import type { MakeupOption } from '@clinic/weeks-engine';
import type { Act } from '../../access/act.ts';
import { writeSessions } from '../../book/book.ts';
import { planDates } from '../../book/series-dates.ts';
import { readWanted, type Wanted } from '../../book/wanted.ts';
import { booking } from '../../book/write.ts';
import { cutOf } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, locksOf, therapistWeek } from '../../db/locks.ts';
import { careNow } from '../../ledgers/count/care-hours.ts';
import type { Call } from '../../http/route.ts';
import type { Solver } from '../../plan/options/solver.ts';
import { refusal } from '../../platform/refusal.ts';
import type { WallNow } from '../../platform/wall-clock.ts';
import { loadWeeks, type WeeksFacts } from '../problem/weeks-facts.ts';
import { makeupProblem, paidTimes, usualTimes, type MakeupParts } from './makeup-problem.ts';
import { linkMadeUp, makeable, readOwed, type OwedClient } from './owed.ts';

interface Asked {
  readonly db: Db;
  readonly solver: Pick<Solver, 'solveWeeks'>;
  readonly act: Pick<Act, 'gone'> & { readonly caller: Pick<Act['caller'], 'id' | 'locations'> };
  readonly now: WallNow;
}

/** A pair that a plan may not use after all is left out, and the problem is solved again, so many times at most. */
const MOST_ROUNDS = 4;

export interface MakeupProposal {
  readonly through: IsoDate;
  readonly pieces: MakeupPiece[];
  readonly left: { client: string; minutes: number; why: string }[];
}

/** Proposes sessions in the coming days that make up what these clients lost, for all of them together. */
export async function proposeMakeup(asked: Asked, wish: MakeupWish): Promise<{ ids: string[]; reply: MakeupProposal }> {
  const { db, solver, act, now } = asked;
  const names = new Set(wish.clients);
  const owed = (await readOwed(db, wish.location, now)).filter(({ client }) => names.has(client));
  const due = owed.filter((each) => makeable(each) > 0);
  const ids = due.map(({ id }) => id);
  const from = addDays(now.date, 1);
  const through = addDays(now.date, wish.days);
  const dates = datesFrom(from, through);
  const facts = await loadWeeks(db, { location: wish.location, from, until: through }, ids, now);
  const times = due.map((each) => ({ id: each.id, minutes: makeable(each) }));
  const isAuthorized = (id: string): boolean => facts.clients.get(id)?.authorized !== null;
  const parts: MakeupParts = {
    facts,
    dates,
    owed: times,
    timesOf: await usualTimes(db, ids, now.date, wish.times),
    paid: await paidTimes(db, times, dates, isAuthorized, careNow(now, await cutOf(db, now))),
  };
  const excluded = new Set<string>();
  let made: Wanted[] = [];
  for (let round = 0; ids.length > 0 && round < MOST_ROUNDS; round++) {
    const answer = await solver.solveWeeks(makeupProblem(parts, excluded), { account: act.caller.id, gone: act.gone });
    const option = answer.options.find(isMakeup);
    const wanted = option ? option.pieces.map((piece) => wantedOf(piece, wish.location)) : [];
    const passes = (): boolean => false;
    const plan = await planDates(db, wanted, { caller: act.caller, now, passes, coversAway: false });
    made = [...plan.made];
    const pairs = plan.skipped
      .filter(({ kind }) => kind === 'rule')
      .map(({ wanted: own }) => `${own.clientId} ${own.therapistId}`);
    if (pairs.length === 0) break;
    for (const pair of pairs) excluded.add(pair);
  }
  return {
    ids,
    reply: { through, pieces: made.map((each) => pieceOf(facts, each)), left: leftOver(parts, due, made) },
  };
}

const isMakeup = (option: object): option is MakeupOption => 'pieces' in option;

const wantedOf = (piece: MakeupOption['pieces'][number], location: Location): Wanted => ({
  location,
  date: isoDate(piece.date),
  start: parseTime(piece.start) ?? 0,
  end: parseTime(piece.end) ?? 0,
  clientId: piece.client,
  therapistId: piece.therapist,
  service: 'direct',
  subject: MAKE_UP_SUBJECT,
  status: null,
});

function pieceOf(
  { clients, therapists }: WeeksFacts,
  { clientId, therapistId, date, start, end }: Wanted,
): MakeupPiece {
  const client = clients.get(clientId ?? '');
  return {
    client: client?.name ?? '',
    therapist: therapists.get(therapistId ?? '')?.name ?? '',
    date,
    start: formatTime(start),
    end: formatTime(end),
    knows: client?.knows.get(therapistId ?? '') ?? 'new',
  };
}

/** What stays owed of what could be made up, and why. */
function leftOver({ paid }: MakeupParts, owed: readonly OwedClient[], made: readonly Wanted[]): MakeupProposal['left'] {
  return owed.flatMap((each) => {
    const given = made.reduce((sum, { clientId, start, end }) => sum + (clientId === each.id ? end - start : 0), 0);
    const minutes = each.owed - given;
    if (minutes < 30) return [];
    const pays = paid.get(each.id)?.total ?? Infinity;
    const why =
      pays - given < 30
        ? `Authorizations pay for ${pays === 0 ? 'nothing more' : `${duration(pays)} more`} in these days.`
        : 'Nobody who may is free when the child can come.';
    return [{ client: each.client, minutes, why }];
  });
}

/**
 * Books sessions that make up lost time, all of them or nothing, and links each to what it makes up. Refuses (409) if one
 * of them cannot be booked anymore, or if a client is owed less by now.
 */
export async function bookMakeup(
  db: Db,
  act: Act,
  { location, pieces }: Call<typeof makeupEndpoints.bookMakeup>['body'],
  { now, adminClientName }: { readonly now: WallNow; readonly adminClientName: string },
): Promise<{ sessions: number; minutes: number }> {
  return booking(db, act, async (trx) => {
    const wanted: Wanted[] = [];
    for (const { client, therapist, date, start, end } of pieces) {
      const body = {
        location,
        client,
        therapist,
        date: date,
        start,
        end,
        subject: MAKE_UP_SUBJECT,
      };
      wanted.push(await readWanted(trx, act.caller, body, adminClientName));
    }
    const weeks = wanted.map(({ therapistId, date }) => therapistWeek(therapistId ?? '', date));
    await lockAll(trx, [...locksOf(wanted), ...weeks]);
    const owed = await readOwed(trx, location, now);
    for (const id of new Set(wanted.map(({ clientId }) => clientId))) {
      const own = owed.find((each) => each.id === id);
      const asked = wanted.reduce((sum, each) => sum + (each.clientId === id ? each.end - each.start : 0), 0);
      if (asked > (own?.owed ?? 0))
        throw refusal('makeup-changed', `Less is owed by now: ${duration(own?.owed ?? 0)}.`);
    }
    const passes = (): boolean => false;
    const plan = await planDates(trx, wanted, { caller: act.caller, now, passes, coversAway: false });
    const [skipped] = plan.skipped;
    if (skipped) throw refusal('makeup-changed', skipped.why);
    const sessions = wanted.map((each) => ({ key: randomUUID(), wanted: each, seriesId: null }));
    await writeSessions(trx, act, sessions, { anyway: false, asks: null, now });
    await linkMadeUp(
      trx,
      sessions.map(({ key, wanted: own }) => ({ key, clientId: own.clientId ?? '', minutes: own.end - own.start })),
      now,
    );
    return { sessions: sessions.length, minutes: wanted.reduce((sum, { start, end }) => sum + end - start, 0) };
  });
}
