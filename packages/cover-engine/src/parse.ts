/**
 * Reads any value as a cover problem. An error becomes a refusal in plain words. An accepted problem has no unknown
 * people and no duplicates, and every time window in it ends after its start. NOTE: `knows` and `excludes` may name
 * therapists who are not in the problem, since people also work at other locations.
 */
import {
  GENDERS,
  parseDate,
  parseTime,
  readList,
  readOneOf,
  readRecord,
  readText,
  readTruth,
  readWhole,
  SERVICES,
  SPECIALIZATIONS,
  Unreadable,
  unreadable,
} from '@clinic/domain';
import type { Refusal } from './answer.ts';
import { FORMATS, type CoverProblem } from './problem.ts';
import { exactSlotOf, SLOTS, timeOf } from './slots.ts';

export type ParsedProblem = { ok: true; problem: CoverProblem } | { ok: false; refusal: Refusal };

const has = (known: { has: (id: string) => boolean }, value: unknown): boolean =>
  typeof value === 'string' && known.has(value);

const truth = (value: unknown, where: string): void => {
  if (value != null) readTruth(value, where);
};

const texts = (value: unknown, where: string): void => {
  if (value != null)
    for (const item of readList(value, where.replace(/^An? (\w+)/, 'The list of $1s'))) readText(item, where);
};

const whole = (value: unknown, most: number, where: string): void => {
  if (value != null) readWhole(value, 0, most, where);
};

const time = (value: unknown, where: string): string => {
  if (typeof value !== 'string' || parseTime(value) === null)
    unreadable(`${where}: ${JSON.stringify(value)} is not a time (HH:MM).`);
  return value;
};

/**
 * Checks a window of time; its end must be after its start. `reach` limits both times. `day`: quarter hours from 07:00
 * to 19:00. `on the grid`: any quarter hours. `any`: no limit.
 */
function window(start: unknown, end: unknown, where: string, reach: 'day' | 'on the grid' | 'any'): void {
  const from = exactSlotOf(time(start, where));
  const to = exactSlotOf(time(end, where));
  if (from >= to) unreadable(`${where}: ${String(start)} to ${String(end)} ends before it begins.`);
  if (reach === 'any') return;
  if (!Number.isInteger(from) || !Number.isInteger(to))
    unreadable(`${where}: ${String(start)} to ${String(end)} is not on the quarter hour.`);
  if (reach === 'day' && (from < 0 || to > SLOTS))
    unreadable(`${where}: ${String(start)} to ${String(end)} is outside ${timeOf(0)} to ${timeOf(SLOTS)}.`);
}

function checkDate(value: unknown): void {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value))
    return unreadable(`The date ${JSON.stringify(value)} is not a date (YYYY-MM-DD).`);
  if (parseDate(value) === null) unreadable(`There is no date ${value}.`);
}

function checkTherapist(value: unknown, ids: Set<string>): string {
  const t = readRecord(value, 'A therapist');
  const id = readText(t['id'], "A therapist's id");
  if (ids.has(id)) unreadable(`The id ${id} is given to two people.`);
  ids.add(id);
  readText(t['name'], `The name of therapist ${id}`);
  readOneOf(t['credential'], SPECIALIZATIONS, `The credential of therapist ${id}`);
  readOneOf(t['gender'], GENDERS, `The gender of therapist ${id}`);
  for (const w of readList(t['available'], `The availability of therapist ${id}`)) {
    const pair = readList(w, `A window of therapist ${id}`);
    if (pair.length !== 2) unreadable(`A window of therapist ${id} needs a start and an end.`);
    window(pair[0], pair[1], `The availability of therapist ${id}`, 'on the grid');
  }
  texts(t['tags'], `A tag of therapist ${id}`);
  truth(t['onlyKnown'], `The mark onlyKnown of therapist ${id}`);
  whole(t['cap'], 1e6, `The cap of therapist ${id}`);
  whole(t['call'], 1000, `The call of therapist ${id}`);
  if (t['load'] != null)
    for (const step of readList(t['load'], `The load of therapist ${id}`)) {
      const pair = readList(step, `A step in the load of therapist ${id}`);
      if (pair.length !== 2) unreadable(`A step in the load of therapist ${id} needs a number of slots and points.`);
      for (const n of pair) whole(n ?? 'nothing', 1e6, `A step in the load of therapist ${id}`);
    }
  return id;
}

function credentialList(value: unknown, whose: string): void {
  if (value == null) return;
  for (const k of readList(value, `The credentials for ${whose}`))
    readOneOf(k, SPECIALIZATIONS, `A credential for ${whose}`);
}

function checkClient(value: unknown, ids: Set<string>): string {
  const c = readRecord(value, 'A client');
  const id = readText(c['id'], "A client's id");
  if (ids.has(id)) unreadable(`The id ${id} is given to two people.`);
  ids.add(id);
  readText(c['name'], `The name of client ${id}`);
  whole(c['priority'], 1e6, `The priority of client ${id}`);
  texts(c['needs'], `A need of client ${id}`);
  texts(c['prefers'], `A preference of client ${id}`);
  if (c['payer'] != null) {
    const payer = readRecord(c['payer'], `The payer of client ${id}`);
    readText(payer['name'], `The name of the payer of client ${id}`);
    texts(
      payer['needs'] ?? unreadable(`The needs of the payer of client ${id} are missing.`),
      `A need of the payer of client ${id}`,
    );
    credentialList(payer['credentials'], `the payer of client ${id}`);
  }
  if (c['requiresGender'] != null)
    for (const g of readList(c['requiresGender'], `The genders required by client ${id}`))
      readOneOf(g, GENDERS, `A gender required by client ${id}`);
  if (c['excludes'] != null)
    for (const t of readList(c['excludes'], `The exclusions of client ${id}`))
      readText(t, `An exclusion of client ${id}`);
  truth(c['knownOnly'], `The mark knownOnly of client ${id}`);
  credentialList(c['credentials'], `client ${id}`);
  if (c['knows'] != null)
    for (const [t, how] of Object.entries(readRecord(c['knows'], `Whom client ${id} knows`)))
      readOneOf(how, ['team', 'known'], `What client ${id} knows of ${t}`);
  return id;
}

interface Ids {
  therapists: Set<string>;
  clients: Set<string>;
  sessions: Map<string, string>;
}

function checkSession(value: unknown, ids: Ids): void {
  const s = readRecord(value, 'A session');
  const id = readText(s['id'], "A session's id");
  if (ids.sessions.has(id)) unreadable(`The session ${id} is given twice.`);
  const service = readOneOf(s['service'], SERVICES, `The service of session ${id}`);
  ids.sessions.set(id, service);
  window(s['start'], s['end'], `Session ${id}`, 'day');
  whole(s['weight'], 1e4, `The weight of session ${id}`);
  const therapist = s['therapist'] ?? null;
  if (therapist !== null && !has(ids.therapists, therapist))
    unreadable(`Session ${id} has an unknown therapist: ${JSON.stringify(therapist)}.`);
  if (service === 'admin') {
    if (therapist === null) unreadable(`Session ${id} is admin time without a therapist.`);
    if (s['client'] != null) unreadable(`Session ${id} is admin time and has a client.`);
  } else if (!has(ids.clients, s['client']))
    unreadable(`Session ${id} has an unknown client: ${JSON.stringify(s['client'])}.`);
}

function checkPin(value: unknown, ids: Ids, pinned: Set<string>): void {
  const p = readRecord(value, 'A pin');
  const id = readText(p['session'], "A pin's session");
  const service = ids.sessions.get(id);
  if (service === undefined) unreadable(`A pin names an unknown session: ${id}.`);
  if (service === 'admin') unreadable(`A pin names admin time: ${id}.`);
  if (pinned.has(id)) unreadable(`The session ${id} is pinned twice.`);
  pinned.add(id);
  for (const item of readList(p['pieces'], `The pieces pinned for session ${id}`)) {
    const piece = readRecord(item, `A piece pinned for session ${id}`);
    window(piece['start'], piece['end'], `A piece pinned for session ${id}`, 'day');
    const t = piece['therapist'] ?? null;
    if (t !== null && !has(ids.therapists, t))
      unreadable(`The pin of session ${id} names an unknown therapist: ${JSON.stringify(t)}.`);
  }
}

function checkDeclined(value: unknown, ids: Ids): void {
  const d = readRecord(value, 'An entry in the list of declined sessions');
  const session = readText(d['session'], 'The session of an entry in the list of declined sessions');
  const therapist = readText(d['therapist'], 'The therapist of an entry in the list of declined sessions');
  if (!ids.sessions.has(session))
    unreadable(`An entry in the list of declined sessions names an unknown session: ${session}.`);
  if (!ids.therapists.has(therapist))
    unreadable(`The session ${session} was declined by an unknown therapist: ${therapist}.`);
}

function check(value: unknown): CoverProblem {
  const p = readRecord(value, 'The problem');
  if (!FORMATS.some((format) => format === p['format'])) unreadable('This is not a cover-problem/1, /2 or /3.');
  checkDate(p['date']);
  readText(p['location'], 'The location');
  if (p['now'] != null) time(p['now'], 'The present moment (now)');
  const people = new Set<string>();
  const ids: Ids = { therapists: new Set(), clients: new Set(), sessions: new Map() };
  for (const t of readList(p['therapists'], 'The list of therapists')) ids.therapists.add(checkTherapist(t, people));
  for (const c of readList(p['clients'], 'The list of clients')) ids.clients.add(checkClient(c, people));
  for (const s of readList(p['sessions'], 'The list of sessions')) checkSession(s, ids);
  for (const item of readList(p['absences'], 'The list of absences')) {
    const a = readRecord(item, 'An absence');
    const who = readText(a['who'], 'The person of an absence');
    if (!people.has(who)) unreadable(`An absence names an unknown person: ${who}.`);
    window(a['start'], a['end'], `The absence of ${who}`, 'any');
  }
  if (p['declined'] != null)
    for (const item of readList(p['declined'], 'The list of declined sessions')) checkDeclined(item, ids);
  const pinned = new Set<string>();
  if (p['pins'] != null) for (const pin of readList(p['pins'], 'The list of pins')) checkPin(pin, ids, pinned);
  return p as unknown as CoverProblem;
}

/** Parses a problem, or returns a refusal (code `unreadable`) that names the error. `problem.ts` defines the format. */
export function parseProblem(value: unknown): ParsedProblem {
  try {
    return { ok: true, problem: check(value) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, refusal: { code: 'unreadable', detail: error.message } };
    throw error;
  }
}
