/** What clients lost in the last four weeks, and what of it is still owed. */
import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { Owed } from '@clinic/contract';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { readCare, readCareSessions } from '../../ledgers/pages/care.service.ts';
import type { WallNow } from '../../platform/wall-clock.ts';

/** Half an hour: no less can be made up. */
const LEAST = 30;

/** What a client is owed, with their id. */
export interface OwedClient extends Owed {
  readonly id: string;
}

/** Returns what the clients of a location are owed, the most first; those who lost nothing are left out. */
export async function readOwed(db: Db, location: Location, now: WallNow): Promise<OwedClient[]> {
  const { rows } = await readCare(db, location, now.date, now);
  const losers = rows.filter(({ lost }) => lost > 0);
  const ids = losers.map(({ id }) => id);
  const booked = await bookedFor(db, ids, now.date);
  return losers
    .map((row): OwedClient => {
      const ahead = booked.get(row.id) ?? 0;
      const direct = row.authorized?.filter(({ code }) => code === '97153') ?? null;
      return {
        id: row.id,
        client: row.name,
        lost: row.lost,
        made_up: row.madeUp,
        booked: ahead,
        owed: Math.max(0, row.lost - row.madeUp - ahead),
        lost_by: row.lostBy.map(({ label, minutes }) => ({ label, minutes })),
        since: row.lostSince,
        left: direct && direct.reduce((sum, { authorization: own }) => sum + (own ? leftOf(own) : 0), 0),
      };
    })
    .sort((a, b) => b.owed - a.owed || (a.client < b.client ? -1 : 1));
}

const leftOf = ({ units, used }: { readonly units: number; readonly used: number }): number =>
  Math.max(0, units - used) * 15;

/** The minutes of sessions from this date on that are booked to make up what each client lost. */
async function bookedFor(db: Db, ids: readonly string[], today: IsoDate): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; minutes: number }>`
    select a.client_id as id, sum(m.minutes)::int as minutes
    from made_up m join appointment a on a.id = m.session
    where a.client_id = ${anyOf(ids)} and a.occupies and a.starts >= ${today}::timestamp
    group by 1`.execute(db);
  return new Map(rows.map((row) => [row.id, row.minutes]));
}

/** A session that was lost, wholly or partly, and the minutes that nothing makes up yet. */
interface LostSession {
  readonly key: string;
  readonly date: IsoDate;
  readonly minutes: number;
}

/** A client's lost sessions, the oldest first. */
async function lostSessions(db: Db, clientId: string, now: WallNow): Promise<LostSession[]> {
  const sessions = await readCareSessions(db, clientId, now.date, now);
  return sessions
    .filter(({ lost }) => lost > 0)
    .map(({ key, date, lost }) => ({ key, date, minutes: lost }))
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** A session that makes up lost time. */
export interface MadeUp {
  readonly key: string;
  readonly clientId: string;
  readonly minutes: number;
}

/** Links sessions just booked to what they make up: the oldest loss of their client first. */
export async function linkMadeUp(trx: Db, booked: readonly MadeUp[], now: WallNow): Promise<void> {
  for (const clientId of new Set(booked.map((each) => each.clientId))) {
    const lost = await lostSessions(trx, clientId, now);
    const linked = await linkedMinutes(
      trx,
      lost.map(({ key }) => key),
    );
    const open = lost.map((each) => ({ ...each, minutes: each.minutes - (linked.get(each.key) ?? 0) }));
    const links: { session: string; lost: string; minutes: number }[] = [];
    for (const { key: session, minutes } of booked.filter((each) => each.clientId === clientId)) {
      let rest = minutes;
      for (const each of open) {
        const taken = Math.min(rest, each.minutes);
        if (taken <= 0) continue;
        links.push({ session, lost: each.key, minutes: taken });
        each.minutes -= taken;
        rest -= taken;
      }
    }
    if (links.length > 0) await trx.insertInto('made_up').values(links).execute();
  }
}

async function linkedMinutes(trx: Db, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ lost: string; minutes: number }>`
    select m.lost, sum(m.minutes)::int as minutes from made_up m join appointment a on a.id = m.session
    where m.lost = ${anyOf(keys, 'uuid')} and a.occupies group by 1`.execute(trx);
  return new Map(rows.map((row) => [row.lost, row.minutes]));
}

/** What can be made up of what is owed: whole half hours. */
export const makeable = ({ owed }: Pick<Owed, 'owed'>): number => Math.floor(owed / LEAST) * LEAST;
