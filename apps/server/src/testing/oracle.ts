import { sql } from 'kysely';
import { intersect, minutesOf, overlaps, subtract, type Interval } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

/**
 * Checks a day against the cover rules, using only the tables: it shares no code with the loader, the problem or the
 * engine. Only for days whose clients and therapists all belong to one location.
 */
interface Row extends Interval {
  id: string;
  root: string;
  client: string;
  therapist: string | null;
  service: string;
  status: string;
  group: string | null;
}

interface Therapist {
  id: string;
  specialization: string;
  gender: string;
  windows: Interval[];
  away: Interval[];
}

interface Client {
  id: string;
  genders: string[];
  excludes: string[];
  rbtOrAbove: boolean;
  careTeamOnly: boolean;
  away: Interval[];
}

export interface Snapshot {
  rows: Row[];
  therapists: Map<string, Therapist>;
  clients: Map<string, Client>;
  /** How many sessions each client had with each therapist in the previous 28 and 90 days. */
  sessions: Map<string, { recent: number; all: number }>;
}

const minute = (column: string) =>
  sql<number>`(extract(hour from ${sql.ref(column)}) * 60 + extract(minute from ${sql.ref(column)}))::int`;

/** Reads a location's day. */
export async function snapshot(db: Db, location: string, date: string): Promise<Snapshot> {
  const rows = await sql<Row>`
    select id, coalesce(parent_id, id) as root, client_id as client, therapist_id as therapist, service, status,
      ${minute('starts')} as start, ${minute('ends')} as end, group_key as "group"
    from appointment where location = ${location} and starts::date = ${date} and client_id is not null
      and status <> 'entered-in-error' order by starts, id`.execute(db);
  const therapists = await sql<Therapist>`
    select t.id, t.specialization, t.gender,
      coalesce((select jsonb_agg(jsonb_build_object('start', w.start_minute, 'end', w.end_minute)) from therapist_availability w
        where w.therapist_id = t.id and w.day_of_week = extract(dow from ${date}::date)), '[]') as windows,
      coalesce((select jsonb_agg(jsonb_build_object('start', a.start_minute, 'end', a.end_minute)) from absence a
        where a.therapist_id = t.id and a.date = ${date} and a.withdrawn_at is null), '[]') as away
    from therapist t`.execute(db);
  const clients = await sql<Client>`
    select c.id, c.rbt_or_above as "rbtOrAbove", c.care_team_only as "careTeamOnly",
      coalesce((select jsonb_agg(r.requires_gender) from client_restriction r where r.client_id = c.id and r.requires_gender is not null), '[]') as genders,
      coalesce((select jsonb_agg(r.excludes_therapist_id) from client_restriction r where r.client_id = c.id and r.excludes_therapist_id is not null), '[]') as excludes,
      coalesce((select jsonb_agg(jsonb_build_object('start', a.start_minute, 'end', a.end_minute)) from absence a
        where a.client_id = c.id and a.date = ${date} and a.withdrawn_at is null), '[]') as away
    from client c`.execute(db);
  const known = await sql<{ pair: string; recent: number; all: number }>`
    select client_id || ' ' || therapist_id as pair, count(*)::int as all,
      (count(*) filter (where starts >= ${date}::date - 28))::int as recent
    from appointment where starts < ${date}::date and starts >= ${date}::date - 90 and parent_id is null
      and status in ('pending', 'booked', 'fulfilled') and client_id is not null and therapist_id is not null
    group by 1`.execute(db);
  return {
    rows: rows.rows,
    therapists: new Map(therapists.rows.map((t) => [t.id, t])),
    clients: new Map(clients.rows.map((c) => [c.id, c])),
    sessions: new Map(known.rows.map((k) => [k.pair, k])),
  };
}

const takesTime = (r: Row): boolean => ['pending', 'booked', 'fulfilled'].includes(r.status);
const quarter = (w: Interval): Interval => ({ start: Math.floor(w.start / 15) * 15, end: Math.ceil(w.end / 15) * 15 });

/** Returns the rule violations in the changes between two snapshots, one sentence each. */
export function brokenRules(before: Snapshot, after: Snapshot): string[] {
  const broken: string[] = [];
  for (const session of before.rows.filter(takesTime)) {
    const pieces = after.rows.filter((r) => r.root === session.root && r.start < session.end && session.start < r.end);
    const say = (what: string) => broken.push(`${session.id} ${session.start}-${session.end}: ${what}`);
    if (minutesOf(pieces) !== session.end - session.start || subtract([session], pieces).length > 0) {
      say('its pieces overlap or leave a gap');
      continue;
    }
    const client = after.clients.get(session.client);
    if (!client) continue;
    const gone = session.group === null || client.away.some((w) => overlaps(w, session)) ? client.away : [];
    const cancelled = pieces.filter((p) => p.status === 'cancelled');
    if (cancelled.some((p) => subtract([p], gone).length > 0)) say('time is cancelled although the client is there');
    for (const part of subtract([session], gone)) {
      const within = pieces.filter((p) => overlaps(p, part) && takesTime(p));
      if (within.some((p) => p.start < part.start || p.end > part.end)) say('a piece reaches beyond its part');
      judgePart(after, session, part, within, client, say);
    }
  }
  return broken;
}

function judgePart(
  s: Snapshot,
  session: Row,
  part: Interval,
  pieces: Row[],
  client: Client,
  say: (what: string) => void,
): void {
  const booked = session.therapist === null ? undefined : s.therapists.get(session.therapist);
  const affected = !booked || booked.away.some((w) => overlaps(w, part));
  const whole = (p: Row): boolean => p.start === part.start && p.end === part.end;
  const others = pieces.filter((p) => p.therapist !== null && p.therapist !== session.therapist);
  const own = pieces.filter((p) => p.therapist !== null && p.therapist === session.therapist);
  if (2 * others.length + own.length > 4 || own.length > 2) say('too many therapists come and go');
  if (own.some((p) => booked?.away.some((w) => overlaps(w, p)))) say('the booked therapist is away');
  if (!affected && others.length + own.length < pieces.length) say('a present therapist lost the session to no one');
  for (const p of others) {
    const t = s.therapists.get(p.therapist ?? '');
    if (!t) continue;
    const known = s.sessions.get(`${client.id} ${t.id}`);
    const direct = session.service === 'direct';
    if (!affected && !(direct && whole(p) && known)) say(`swapped to ${t.id} against the rules`);
    if (subtract([quarter(p)], t.windows).length > 0) say(`${t.id} is not available ${p.start}-${p.end}`);
    if (t.away.some((w) => overlaps(w, p))) say(`${t.id} is away`);
    if (client.genders.length === 1 && client.genders[0] !== t.gender) say(`${t.id} is of the wrong gender`);
    if (client.excludes.includes(t.id)) say(`${t.id} is excluded`);
    if (client.rbtOrAbove && t.specialization === 'BT') say(`${t.id} does not have the credential`);
    if (client.careTeamOnly && !((known?.recent ?? 0) >= 4)) say(`${t.id} is not on the care team`);
    if (!direct && !(whole(p) && known && t.specialization === 'BCBA'))
      say(`${t.id} may not take a ${session.service}`);
    if (minutesOf([quarter(p)]) < 30 && !whole(p)) say('a piece of less than half an hour');
  }
  for (const p of [...others, ...own])
    for (const at of [p.start, p.end])
      if (at % 30 !== 0 && !comesOrGoes(s, session, p, part, at)) say(`a change at ${at}`);
}

/**
 * Whether any interval begins or ends at `at`: the part itself, or a window, absence or session of the booked or the
 * new therapist.
 */
function comesOrGoes(s: Snapshot, session: Row, piece: Row, part: Interval, at: number): boolean {
  if (at === part.start || at === part.end) return true;
  const near = (w: Interval): boolean => [w, quarter(w)].some((x) => x.start === at || x.end === at);
  return [session.therapist, piece.therapist].some((id) => {
    const t = s.therapists.get(id ?? '');
    const theirs = s.rows.filter((r) => r.therapist === id || r.root === session.root);
    return t && [...t.windows, ...t.away, ...theirs].some(near);
  });
}

/** Finds therapists who are in two places at once in the second snapshot but were not in the first. */
export function newDoubleBookings(before: Snapshot, after: Snapshot): string[] {
  const pairs = (s: Snapshot): Set<string> => {
    const found = new Set<string>();
    const busy = s.rows.filter((r) => takesTime(r) && r.therapist !== null);
    for (const [i, a] of busy.entries())
      for (const b of busy.slice(i + 1)) {
        const group = a.group !== null && a.group === b.group;
        if (a.therapist === b.therapist && !group && intersect(a, b)) found.add([a.root, b.root].sort().join(' '));
      }
    return found;
  };
  const old = pairs(before);
  return [...pairs(after)].filter((pair) => !old.has(pair));
}
