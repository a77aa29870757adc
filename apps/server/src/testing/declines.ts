import { sql } from 'kysely';
import { addDays, isoDate } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

/**
 * What a therapist said about one of their sessions: nothing (`none`), no to the whole session (`no`), or no to a
 * session of which this one is a piece (`piece`). The other values are a no that does not count: it was taken back, or
 * it is for another therapist, another date or another location.
 */
export const NOES = ['none', 'none', 'no', 'piece', 'taken back', 'of another', 'other date', 'other place'] as const;
export type No = (typeof NOES)[number];

/** Whether a session with this no stays uncovered. */
export const isUnresolved = (no: No): boolean => no === 'no' || no === 'piece';

interface Said {
  readonly key: string;
  readonly therapist: string;
  readonly date: string;
  /** A therapist who does not have the session. */
  readonly other: string;
}

/** Stores what a therapist said about their session at Altamonte. */
export async function buildNo(db: Db, no: No, { key, therapist, date, other }: Said): Promise<void> {
  if (no === 'none') return;
  const root = no === 'piece' ? await pieceOf(db, key) : key;
  await db
    .insertInto('call_decline')
    .values({
      location: no === 'other place' ? 'tampa' : 'altamonte',
      date: no === 'other date' ? addDays(isoDate(date), -1) : isoDate(date),
      therapist_id: no === 'of another' ? other : therapist,
      client_id: null,
      scope: 'session',
      sessions: [root],
      said_to: '[]',
      until_minute: null,
      away: '[]',
      wall_minute: 440,
      at: '2026-10-20T12:20:00Z',
      account_id: null,
      ended_at: no === 'taken back' ? '2026-10-20T13:00:00Z' : null,
      ended_by: null,
      answer_id: null,
    })
    .execute();
}

/** Makes the appointment a piece of a deleted session; returns the key of that session. */
async function pieceOf(db: Db, key: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into appointment (wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, place, client_place)
    select wire_id || '-whole', location, client_id, therapist_id, service, subject, 'entered-in-error', starts, ends,
      id || ' whole', id || ' whole' from appointment where id = ${key} returning id`.execute(db);
  const root = rows[0]?.id ?? '';
  await db.updateTable('appointment').set({ parent_id: root }).where('id', '=', key).execute();
  return root;
}
