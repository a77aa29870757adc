import type { IsoDate, Location } from '@clinic/domain';
import type { WallOf } from '../../../clinic-day/present.ts';
import type { Db } from '../../../db/connection.ts';
import { onSnapshot } from '../../../db/retry.ts';
import { selectClaims, selectSheet, type ClaimRow } from './call-day.queries.ts';
import type { CallList } from './lines.ts';
import { loadCallList } from './load-calls.ts';

/** A call takes no longer than this, so that a claim someone forgot to end does not keep others from calling. */
const CLAIM_MS = 10 * 60_000;

/** A call list, with the answers and claims on it. */
export interface CallBoard extends CallList {
  readonly location: Location;
  readonly date: IsoDate;
  readonly claims: readonly ClaimRow[];
  readonly sheet: { readonly at: string; readonly by: string } | null;
}

export interface CallDate {
  readonly location: Location;
  readonly date: IsoDate;
}

/** Everything a call list shows. `at`: milliseconds since the epoch, by the machine's clock. */
export async function loadBoard(db: Db, wallOf: WallOf, { location, date }: CallDate, at: number): Promise<CallBoard> {
  const list = await loadCallList(db, location, date, wallOf(location));
  const claims = await selectClaims(db, location, date, new Date(at - CLAIM_MS).toISOString());
  return { ...list, location, date, claims, sheet: await selectSheet(db, location, date) };
}

/** A day's call list, all of it as of one moment. `at`: milliseconds since the epoch, by the machine's clock. */
export const readCalls = (db: Db, wallOf: WallOf, on: CallDate, at: number): Promise<CallBoard> =>
  onSnapshot(db, (trx) => loadBoard(trx, wallOf, on, at));
