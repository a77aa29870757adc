/** Reads any value as a problem of weeks. What is wrong is refused in plain words. */
import {
  readList,
  readOneOf,
  readRecord,
  readText,
  readWhole,
  shown,
  SLOTS,
  Unreadable,
  unreadable,
} from '@clinic/domain';
import type { Json } from '@clinic/domain';
import type { Refusal } from './answer.ts';
import { isHalf, POINTS } from './points.ts';
import type {
  Client,
  Kind,
  MakeupProblem,
  Meeting,
  Owed,
  People,
  Run,
  Series,
  Span,
  StandingProblem,
} from './problem.ts';
import type { Therapist, TimesProblem, WarmProblem, WeeksProblem } from './problem.ts';
import { byId, hoursOf, known, limited, MOST, optionalList, percent, readDate, readDates, Reader } from './reader.ts';
import { readSpan, readSpans, SERVICES } from './reader.ts';
import { isAble, serveFault } from './serve.ts';

export type ReadProblem = { ok: true; problem: WeeksProblem } | { ok: false; kind: Kind | null; refusal: Refusal };

class PinsClash extends Error {}

function readStanding(p: Json, reader: Reader, people: People): StandingProblem {
  const [therapists, clients] = [byId(people.therapists), byId(people.clients)];
  const rows = limited(p['series'], MOST.series, 'The list of series').map((value) => readRecord(value, 'A series'));
  const ids = new Set<string>();
  for (const row of rows) {
    const id = readText(row['id'], "A series' id");
    if (ids.has(id)) unreadable(`The series ${shown(id)} is given twice.`);
    ids.add(id);
  }
  const declined = new Map<string, Set<number>>();
  for (const value of optionalList(p['declined'], 'The list of declined series')) {
    const d = readRecord(value, 'An entry in the list of declined series');
    const id = readText(d['series'], 'The series of an entry in the list of declined series');
    if (!ids.has(id)) unreadable(`An entry in the list of declined series names an unknown series: ${shown(id)}.`);
    const { index } = known(therapists, d['therapist'], `A therapist who declined the series ${shown(id)}`);
    declined.set(id, (declined.get(id) ?? new Set()).add(index));
  }
  const pins = new Map<string, Json>();
  for (const value of optionalList(p['pins'], 'The list of pins')) {
    const pin = readRecord(value, 'A pin');
    const id = readText(pin['series'], "A pin's series");
    if (!ids.has(id)) unreadable(`A pin names an unknown series: ${shown(id)}.`);
    if (pins.has(id)) unreadable(`The series ${shown(id)} is pinned twice.`);
    pins.set(id, pin);
  }
  const series = rows.map((row, index): Series => {
    const id = readText(row['id'], "A series' id");
    const what = `series ${shown(id)}`;
    const client = known(clients, row['client'], `The client of ${what}`);
    const service = readOneOf(row['service'], SERVICES, `The service of ${what}`);
    const span = readSpan(row['start'], row['end'], `The time of ${what}`);
    const dates = readDates(row['dates'], `The list of dates of ${what}`).map(
      (date) => reader.position(date) ?? unreadable(`The date ${date} of ${what} is not in the problem's dates.`),
    );
    const points = service === 'direct' ? POINTS.open : POINTS.openOther;
    const weight = percent(row['weight'], `The weight of ${what}`);
    const openPoints = Math.round((points * client.priority * weight) / 10_000) * (span.to - span.from);
    const one = {
      index,
      id,
      client,
      service,
      ...span,
      dates,
      openPoints,
      declined: declined.get(id) ?? new Set<number>(),
    };
    const pin = pins.get(id);
    return { ...one, pin: pin ? readPin(pin, { ...one, pin: null }, people, therapists) : null };
  });
  return { kind: 'standing', ...people, series };
}

/** Reads the pinned runs of a series. A pin that breaks a rule by itself is refused. */
function readPin(pin: Json, series: Series, people: People, therapists: ReadonlyMap<string, Therapist>): Run[] {
  const what = `The pin of series ${shown(series.id)}`;
  const clash = (why: string): never => {
    throw new PinsClash(`${what} ${why}.`);
  };
  const runs = readList(pin['runs'], `${what}: its runs`).map((value): Run => {
    const run = readRecord(value, `A run in the pin of series ${shown(series.id)}`);
    const id = run['therapist'] ?? null;
    const therapist = id === null ? null : known(therapists, id, `${what}: a therapist`);
    const [first, last] = [readDate(run['from'], what), readDate(run['to'], what)];
    const within = series.dates.flatMap((date, i) => {
      const day = people.dates[date]!;
      return first <= day && day <= last ? [i] : [];
    });
    if (within.length === 0) clash(`has a run without a date of the series`);
    return { therapist, from: within[0]!, to: within.at(-1)! + 1, open: [] };
  });
  if (runs.length < 1 || runs.length > 2) clash(`has ${runs.length} runs; a series has one or two`);
  if (runs[0]!.from !== 0 || runs.at(-1)!.to !== series.dates.length || (runs[1] && runs[1].from !== runs[0]!.to))
    clash(`does not hold each date of the series once and in order`);
  if (runs[1] && runs[0]!.therapist === runs[1].therapist) clash('has two runs that are alike');
  for (const { therapist, from, to } of runs) {
    if (!therapist) continue;
    const fault = series.declined.has(therapist.index)
      ? 'declined'
      : serveFault(therapist, series.client, series.service);
    if (fault === 'declined') clash(`names ${therapist.id}, who declined it`);
    if (fault) clash(`names ${therapist.id}, who may not serve the client (${fault})`);
    const able = series.dates.slice(from, to).filter((date) => isAble(therapist, date, series, true)).length;
    if (!isHalf(able, to - from))
      clash(`names ${therapist.id}, who is able on ${able} of ${to - from} dates, less than half`);
  }
  return runs;
}

function readTimes(p: Json, reader: Reader, people: People): TimesProblem {
  const client = known(byId(people.clients), p['client'], 'The client');
  const wanted = readRecord(p['wanted'], 'What is wanted');
  const windows: Span[][] = Array.from({ length: 7 }, () => []);
  for (const [day, spans] of Object.entries(readRecord(p['windows'], 'The windows'))) {
    if (!/^[0-6]$/.test(day)) unreadable(`The windows name the weekday ${shown(day)}; weekdays are 0 (Sunday) to 6.`);
    windows[Number(day)] = readSpans(spans, `The windows of weekday ${day}`);
  }
  return {
    kind: 'times',
    ...people,
    client,
    busy: reader.windows(p['busy'], 'The busy time').map((spans) => hoursOf(spans, [])),
    windows,
    wanted: {
      sessions: readWhole(wanted['sessions'], 1, 7, 'The number of wanted sessions'),
      slots: readWhole(wanted['slots'], 1, SLOTS, 'The length of the wanted sessions, in slots,'),
      people: readWhole(wanted['people'], 1, 7, 'The number of wanted people'),
      service: readOneOf(wanted['service'], SERVICES, 'The wanted service'),
    },
  };
}

function readMakeup(p: Json, reader: Reader, people: People): MakeupProblem {
  const clients = byId(people.clients);
  const values = new Map(people.clients.map((c, i) => [c, readRecord(readList(p['clients'], '')[i], 'A client')]));
  const seen = new Set<Client>();
  const owed = limited(p['owed'], MOST.owed, 'The list of what is owed').map((value): Owed => {
    const o = readRecord(value, 'An entry in the list of what is owed');
    const client = known(clients, o['client'], 'A client who is owed time');
    if (seen.has(client)) unreadable(`What client ${shown(client.id)} is owed is given twice.`);
    seen.add(client);
    const slots = readWhole(o['slots'], 0, 10_000, `What client ${shown(client.id)} is owed`);
    if (slots % 2) unreadable(`Client ${shown(client.id)} is owed ${slots} slots, which is not an even number.`);
    const weight = percent(o['weight'], `The weight of what client ${shown(client.id)} is owed`);
    const windows = reader.windows(values.get(client)?.['windows'], `The windows of client ${shown(client.id)}`);
    return { client, slots, points: Math.round((POINTS.owed * weight) / 100), windows };
  });
  return { kind: 'makeup', ...people, owed };
}

function readWarm(p: Json, reader: Reader, people: People): WarmProblem {
  const [therapists, clients] = [byId(people.therapists), byId(people.clients)];
  const ids = new Set<string>();
  const sessions = limited(p['sessions'], MOST.sessions, 'The list of sessions').map((value) => {
    const s = readRecord(value, 'A session');
    const id = readText(s['id'], "A session's id");
    if (ids.has(id)) unreadable(`The session ${shown(id)} is given twice.`);
    ids.add(id);
    const day = readDate(s['date'], `The date of session ${shown(id)}`);
    const date =
      reader.position(day) ?? unreadable(`The date ${day} of session ${shown(id)} is not in the problem's dates.`);
    const client = known(clients, s['client'], `The client of session ${shown(id)}`);
    return { id, client, date, ...readSpan(s['start'], s['end'], `The time of session ${shown(id)}`) };
  });
  const pairs = new Set<string>();
  const meetings = limited(p['meetings'], MOST.owed, 'The list of meetings').map((value): Meeting => {
    const m = readRecord(value, 'A meeting');
    const client = known(clients, m['client'], 'The client of a meeting');
    const therapist = known(therapists, m['therapist'], `A therapist whom client ${shown(client.id)} is to meet`);
    const who = `client ${shown(client.id)} and therapist ${shown(therapist.id)}`;
    if (pairs.has(`${client.index} ${therapist.index}`)) unreadable(`The meeting of ${who} is given twice.`);
    pairs.add(`${client.index} ${therapist.index}`);
    return { client, therapist, times: readWhole(m['times'], 1, 3, `How often ${who} are to meet`) };
  });
  const slots = p['slots'] == null ? 4 : readWhole(p['slots'], 2, 12, 'The length of an overlap, in slots,');
  return { kind: 'warm', ...people, sessions, meetings, slots };
}

const KINDS = { standing: readStanding, times: readTimes, makeup: readMakeup, warm: readWarm } as const;

const kindOf = (value: unknown): Kind | null => {
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : null;
  return (['standing', 'times', 'makeup', 'warm'] as const).find((kind) => format === `${kind}-problem/1`) ?? null;
};

function read(value: unknown): WeeksProblem {
  const p = readRecord(value, 'The problem');
  const kind =
    kindOf(p) ??
    unreadable('This is not a standing-problem/1, a times-problem/1, a makeup-problem/1 or a warm-problem/1.');
  const reader = new Reader(p['dates']);
  const therapists = limited(p['therapists'], MOST.people, 'The list of therapists').map(reader.therapist);
  const clients = limited(p['clients'], MOST.people, 'The list of clients').map((c, i) =>
    reader.client(c, i, therapists),
  );
  const { dates, weeks, weekOf } = reader;
  return KINDS[kind](p, reader, { dates, weeks, weekOf, therapists, clients });
}

export function readProblem(value: unknown): ReadProblem {
  try {
    return { ok: true, problem: read(value) };
  } catch (error) {
    const code = error instanceof Unreadable ? 'unreadable' : error instanceof PinsClash ? 'pins_clash' : null;
    if (code && error instanceof Error)
      return { ok: false, kind: kindOf(value), refusal: { code, detail: error.message } };
    throw error;
  }
}
