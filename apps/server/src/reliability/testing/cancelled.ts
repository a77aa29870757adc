import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';
import { dayFor, type Calendar } from '../../testing/told-calendar.ts';
import { minuteOf, type Minutes } from '../../testing/told-model.ts';

/**
 * What a family knows once they were told that a session is cancelled: minute by minute, they no longer expect that one
 * session. Null if they never knew of it.
 */
export async function cancelledFor(
  db: Db,
  key: string,
  lastOf: (person: string) => Minutes,
  calendar: () => Promise<Calendar>,
): Promise<{ person: string; day: Minutes; cancelled: ReadonlySet<number> } | null> {
  const { rows } = await sql<
    Record<'client_id' | 'therapist_id' | 'booked_therapist_id' | 'service', string | null> & {
      first: number;
      last: number;
    }
  >`
    select client_id, therapist_id, booked_therapist_id, service, extract(epoch from starts - starts::date)::int / 60 as first,
      extract(epoch from ends - starts::date)::int / 60 - 1 as last
    from appointment where id = ${key}`.execute(db);
  const [row] = rows;
  if (!row?.client_id) return null;
  const person = `client:${row.client_id}`;
  const was = lastOf(person);
  const now = dayFor(await calendar(), person, was);
  const off = [...was].filter((each) => {
    const [m, therapist, service] = each.split(' ');
    if (Number(m) < row.first || row.last < Number(m) || now.has(each)) return false;
    const at = (days: Minutes): string[] => [...days].filter((other) => other.startsWith(`${m} `));
    const gone = at(was).filter((other) => !now.has(other));
    const own = (id: string | null): boolean => gone.includes(`${m} ${id ?? '-'} ${row.service}`);
    const known = [row.therapist_id, row.booked_therapist_id].find(own);
    if (known !== undefined) return service === row.service && therapist === (known ?? '-');
    if (at(now).some((other) => other.endsWith(` ${row.service}`))) return false;
    const same = gone.filter((other) => other.endsWith(` ${row.service}`));
    if (same.length > 0 || at(now).length > 0) return same.length === 1 && service === row.service;
    return gone.length === 1;
  });
  if (off.length === 0) return null;
  const day = new Set([...was].filter((each) => !off.includes(each)));
  return { person, day, cancelled: new Set(off.map(minuteOf)) };
}
