/**
 * Reads an unknown value as a cover problem. Any fault comes back as a refusal that people understand; an accepted
 * problem has no unknown people, no reversed times and no duplicates. NOTE: therapists in `knows` or `excludes` may be
 * missing from the day: people also work elsewhere.
 */
import type { CoverProblem, Refusal } from './problem.ts';
import { exactSlotOf, minutesOf, SLOTS } from './slots.ts';

export type ParsedProblem = { ok: true; problem: CoverProblem } | { ok: false; refusal: Refusal };

class Unreadable extends Error {}

const fail = (detail: string): never => {
  throw new Unreadable(detail);
};

type Json = Record<string, unknown>;

const record = (value: unknown, where: string): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : fail(`${where} is not an object.`);

const list = (value: unknown, where: string): unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : fail(`${where} is not a list.`);

const text = (value: unknown, where: string): string =>
  typeof value === 'string' && value !== '' ? value : fail(`${where} is missing or is not text.`);

const oneOf = (value: unknown, allowed: readonly string[], where: string): void => {
  if (!allowed.includes(value as string))
    fail(`${where} is ${JSON.stringify(value)}; it must be one of ${allowed.join(', ')}.`);
};

const truth = (value: unknown, where: string): void => {
  if (value != null && typeof value !== 'boolean') fail(`${where} is not true or false.`);
};

const texts = (value: unknown, where: string): void => {
  if (value != null) for (const item of list(value, `${where} and its like`)) text(item, where);
};

const whole = (value: unknown, most: number, where: string): void => {
  if (value != null && !(Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most))
    fail(`${where} is not a whole number from 0 to ${most}.`);
};

const time = (value: unknown, where: string): string => {
  if (typeof value !== 'string' || minutesOf(value) === null)
    fail(`${where}: ${JSON.stringify(value)} is not a time (HH:MM).`);
  return value as string;
};

/** A window on the grid; `wide` windows may be off it and extend beyond the day. */
function window(start: unknown, end: unknown, where: string, reach: 'day' | 'on the grid' | 'any'): void {
  const from = exactSlotOf(time(start, where));
  const to = exactSlotOf(time(end, where));
  if (from >= to) fail(`${where}: ${String(start)} to ${String(end)} ends before it begins.`);
  if (reach === 'any') return;
  if (!Number.isInteger(from) || !Number.isInteger(to))
    fail(`${where}: ${String(start)} to ${String(end)} is not on the quarter hour.`);
  if (reach === 'day' && (from < 0 || to > SLOTS))
    fail(`${where}: ${String(start)} to ${String(end)} is outside 07:00 to 19:00.`);
}

function checkDate(value: unknown): void {
  const match = typeof value === 'string' ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) : null;
  if (!match) return fail(`The date ${JSON.stringify(value)} is not a date (YYYY-MM-DD).`);
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  if (day < 1 || day > days) fail(`There is no date ${match[0]}.`);
}

function checkTherapist(value: unknown, ids: Set<string>): string {
  const t = record(value, 'A therapist');
  const id = text(t['id'], "A therapist's id");
  if (ids.has(id)) fail(`The id ${id} is given to two people.`);
  ids.add(id);
  text(t['name'], `The name of therapist ${id}`);
  oneOf(t['credential'], ['BCBA', 'RBT', 'BT'], `The credential of therapist ${id}`);
  oneOf(t['gender'], ['Female', 'Male'], `The gender of therapist ${id}`);
  for (const w of list(t['available'], `The availability of therapist ${id}`)) {
    const pair = list(w, `A window of therapist ${id}`);
    if (pair.length !== 2) fail(`A window of therapist ${id} needs a start and an end.`);
    window(pair[0], pair[1], `The availability of therapist ${id}`, 'on the grid');
  }
  texts(t['tags'], `A tag of therapist ${id}`);
  truth(t['onlyKnown'], `The mark onlyKnown of therapist ${id}`);
  whole(t['cap'], 1e6, `The cap of therapist ${id}`);
  whole(t['call'], 1000, `The call of therapist ${id}`);
  if (t['load'] != null)
    for (const step of list(t['load'], `The load of therapist ${id}`)) {
      const pair = list(step, `A step in the load of therapist ${id}`);
      if (pair.length !== 2) fail(`A step in the load of therapist ${id} needs a number of slots and points.`);
      for (const n of pair) whole(n ?? 'nothing', 1e6, `A step in the load of therapist ${id}`);
    }
  return id;
}

function checkClient(value: unknown, ids: Set<string>): string {
  const c = record(value, 'A client');
  const id = text(c['id'], "A client's id");
  if (ids.has(id)) fail(`The id ${id} is given to two people.`);
  ids.add(id);
  text(c['name'], `The name of client ${id}`);
  whole(c['priority'], 1e6, `The priority of client ${id}`);
  texts(c['needs'], `A need of client ${id}`);
  texts(c['prefers'], `A preference of client ${id}`);
  if (c['requiresGender'] != null)
    for (const g of list(c['requiresGender'], `The genders required by client ${id}`))
      oneOf(g, ['Female', 'Male'], `A gender required by client ${id}`);
  if (c['excludes'] != null)
    for (const t of list(c['excludes'], `The exclusions of client ${id}`)) text(t, `An exclusion of client ${id}`);
  truth(c['knownOnly'], `The mark knownOnly of client ${id}`);
  if (c['credentials'] != null)
    for (const k of list(c['credentials'], `The credentials for client ${id}`))
      oneOf(k, ['BCBA', 'RBT', 'BT'], `A credential for client ${id}`);
  if (c['knows'] != null)
    for (const [t, how] of Object.entries(record(c['knows'], `Whom client ${id} knows`)))
      oneOf(how, ['team', 'known'], `What client ${id} knows of ${t}`);
  return id;
}

interface Ids {
  therapists: Set<string>;
  clients: Set<string>;
  sessions: Map<string, string>;
}

function checkSession(value: unknown, ids: Ids): void {
  const s = record(value, 'A session');
  const id = text(s['id'], "A session's id");
  if (ids.sessions.has(id)) fail(`The session ${id} is given twice.`);
  oneOf(s['service'], ['direct', 'supervision', 'parent-training', 'admin'], `The service of session ${id}`);
  const service = s['service'] as string;
  ids.sessions.set(id, service);
  window(s['start'], s['end'], `Session ${id}`, 'day');
  whole(s['weight'], 1e4, `The weight of session ${id}`);
  const therapist = s['therapist'] ?? null;
  if (therapist !== null && !ids.therapists.has(therapist as string))
    fail(`Session ${id} has a therapist nobody knows: ${JSON.stringify(therapist)}.`);
  if (service === 'admin') {
    if (therapist === null) fail(`Session ${id} is admin time of nobody.`);
    if (s['client'] != null) fail(`Session ${id} is admin time and has a client.`);
  } else if (!ids.clients.has(s['client'] as string))
    fail(`Session ${id} has a client nobody knows: ${JSON.stringify(s['client'])}.`);
}

function checkPin(value: unknown, ids: Ids, pinned: Set<string>): void {
  const p = record(value, 'A pin');
  const id = text(p['session'], "A pin's session");
  const service = ids.sessions.get(id);
  if (service === undefined) fail(`A pin names a session nobody knows: ${id}.`);
  if (service === 'admin') fail(`A pin names admin time: ${id}.`);
  if (pinned.has(id)) fail(`The session ${id} is pinned twice.`);
  pinned.add(id);
  for (const item of list(p['pieces'], `The pieces pinned for session ${id}`)) {
    const piece = record(item, `A piece pinned for session ${id}`);
    window(piece['start'], piece['end'], `A piece pinned for session ${id}`, 'day');
    const t = piece['therapist'] ?? null;
    if (t !== null && !ids.therapists.has(t as string))
      fail(`The pin of session ${id} names a therapist nobody knows: ${JSON.stringify(t)}.`);
  }
}

function checkDeclined(value: unknown, ids: Ids): void {
  const d = record(value, 'An entry of who declined');
  const session = text(d['session'], 'The session of an entry of who declined');
  const therapist = text(d['therapist'], 'The therapist of an entry of who declined');
  if (!ids.sessions.has(session)) fail(`Somebody declined a session nobody knows: ${session}.`);
  if (!ids.therapists.has(therapist))
    fail(`The session ${session} was declined by a therapist nobody knows: ${therapist}.`);
}

function check(value: unknown): CoverProblem {
  const p = record(value, 'The problem');
  if (!['cover-problem/1', 'cover-problem/2'].includes(p['format'] as string))
    fail('This is neither a cover-problem/1 nor a cover-problem/2.');
  checkDate(p['date']);
  text(p['location'], 'The location');
  if (p['now'] != null) time(p['now'], 'The present moment (now)');
  const people = new Set<string>();
  const ids: Ids = { therapists: new Set(), clients: new Set(), sessions: new Map() };
  for (const t of list(p['therapists'], 'The list of therapists')) ids.therapists.add(checkTherapist(t, people));
  for (const c of list(p['clients'], 'The list of clients')) ids.clients.add(checkClient(c, people));
  for (const s of list(p['sessions'], 'The list of sessions')) checkSession(s, ids);
  for (const item of list(p['absences'], 'The list of absences')) {
    const a = record(item, 'An absence');
    const who = text(a['who'], 'The person of an absence');
    if (!people.has(who)) fail(`An absence names a person nobody knows: ${who}.`);
    window(a['start'], a['end'], `The absence of ${who}`, 'any');
  }
  if (p['declined'] != null)
    for (const item of list(p['declined'], 'The list of who declined')) checkDeclined(item, ids);
  const pinned = new Set<string>();
  if (p['pins'] != null) for (const pin of list(p['pins'], 'The list of pins')) checkPin(pin, ids, pinned);
  return p as unknown as CoverProblem;
}

/** The problem, or why it cannot be read (code `unreadable`). The format is defined in `problem.ts`. */
export function parseProblem(value: unknown): ParsedProblem {
  try {
    return { ok: true, problem: check(value) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, refusal: { code: 'unreadable', detail: error.message } };
    throw error;
  }
}
