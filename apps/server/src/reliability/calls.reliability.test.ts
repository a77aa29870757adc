// This file is over 250 lines because it is one scenario with all of its checks.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallsReply, ProposalReply } from '@clinic/contract';
import { addDays, formatTime, isoDate, randomFrom } from '@clinic/domain';
import type { LightMyRequestResponse } from 'fastify';
import { openNearDays } from '../tell/calls/open-near-days.ts';
import { everyone, saveAbsences, submit, submitBody, undo } from '../testing/calls.ts';
import { buildAppointment } from '../testing/builders.ts';
import { openSmallClinic, type SmallApp } from '../testing/small-app.ts';
import { DATE } from '../testing/small-clinic.ts';
import { calendarNow, changed, dayFor, peopleIn, type Calendar } from '../testing/told-calendar.ts';
import {
  andSeen,
  andTold,
  believedIn,
  isAgain,
  lastTold,
  notTold,
  withoutTakenBack,
  type Minutes,
  type Standing,
} from '../testing/told-model.ts';
import { doseOf, keepFigures, LASTING, seedOfRun, timeLimit } from './testing/doses.ts';
import { cancelledFor } from './testing/cancelled.ts';
import { changedPage, gone, idsOf, isNo, noesOf, openPages, withUndecided, type NoShown } from './testing/own-pages.ts';
import { givenInSpite } from './testing/state-checks.ts';

/**
 * Makes random changes to two days and gives random answers, and compares their call lists with a simple model. Minute
 * by minute, the model stores the day that each person was last told about and the day on the calendar now. One of the
 * days is empty at first, so that the first booking by hand opens its list.
 */

/** The day before the small clinic's day; it has no bookings at first. */
const EMPTY_DATE = '2030-11-21';
/** Two days before the small clinic's day, so both days are near enough for calls. */
const CLOCK = '2030-11-20T12:00:00Z';
const THERAPISTS = ['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean'];
const CLIENTS = ['Bo Lee', 'Mo Diaz', 'Ida Fox'];

let clinic: SmallApp;
beforeAll(async () => {
  clinic = await openSmallClinic(undefined, { config: { ...LASTING, logLevel: 'error', clock: CLOCK } });
  const at = { date: DATE, therapist: clinic.clinic.kai };
  await buildAppointment(clinic.db, { ...at, client: clinic.clinic.ida, start: '09:00', end: '10:00' });
  await buildAppointment(clinic.db, { ...at, client: null, start: '15:00', end: '16:00' });
});
afterAll(() => clinic.app.close());

type Days = ReadonlyMap<string, Minutes>;

const calendar = () => calendarNow(clinic.db, isoDate(scene.date));

const standingOf = (person: string) => withoutTakenBack(person, scene.standing.get(person) ?? [], scene.noes);
const believed = (now: Calendar, person: string) =>
  believedIn(person, standingOf(person), lastOf(person), (day) => changed(now, person, day));

/** The day that a person knows once they have been told what is so now. */
const toldNow = (now: Calendar, person: string): Minutes => dayFor(now, person, believed(now, person).day);

/** What the model knows about one of the two days. */
interface Scene {
  readonly date: string;
  readonly standing: Map<string, Standing[]>;
  readonly commits: string[];
  /** The ids of the noes that the list showed last. */
  noes: readonly string[];
  opening: Days;
}
const sceneOf = (date: string): Scene => ({ date, standing: new Map(), commits: [], noes: [], opening: new Map() });
const booked = sceneOf(DATE);
const empty = sceneOf(EMPTY_DATE);
const DATES = [EMPTY_DATE, DATE];
/** The day that the current act is about. */
let scene = booked;
const on = () => ({ location: 'altamonte', date: scene.date });
const keep = (person: string, what: Standing): void =>
  void scene.standing.set(person, [...(scene.standing.get(person) ?? []), what]);
const keepTold = (person: string, day: Minutes, told: boolean, ended: readonly string[] = []): void =>
  void scene.standing.set(person, andTold(scene.standing.get(person) ?? [], day, told, ended));
const EMPTY: Minutes = new Set();

/** Records that a family was told that a session is cancelled. */
async function keepCancelled(key: string): Promise<boolean> {
  const cancelled = await cancelledFor(clinic.db, key, lastOf, calendar);
  if (!cancelled) return false;
  keep(cancelled.person, { ...cancelled, told: true });
  return true;
}
const lastOf = (person: string): Minutes =>
  lastTold(scene.standing.get(person) ?? []) ?? scene.opening.get(person) ?? EMPTY;

interface Expected {
  readonly lines: Record<string, { first: string; again: boolean }>;
  readonly told: string[];
}

async function expected(): Promise<Expected> {
  const now = await calendar();
  const lines: Expected['lines'] = {};
  const told: string[] = [];
  for (const person of new Set([...scene.opening.keys(), ...peopleIn(now), ...scene.standing.keys()])) {
    const { day, heard } = believed(now, person);
    const minutes = changed(now, person, day);
    const all = scene.standing.get(person) ?? [];
    const again = isAgain(all, minutes, heard);
    if (minutes.length > 0) lines[person] = { first: formatTime(Math.min(...minutes)), again };
    else if (all.findLast((each) => !each.heard)?.told) told.push(person);
  }
  return { lines, told: told.sort() };
}

async function list(): Promise<CallsReply> {
  const reply = (await clinic.who.call({ url: '/api/calls', query: on() })).json<CallsReply>();
  scene.noes = idsOf(reply.declined);
  return reply;
}
const shown = ({ lines, told }: CallsReply): Expected => ({
  lines: Object.fromEntries(lines.map((l) => [`${l.kind}:${l.id}`, { first: l.first, again: l.again !== null }])),
  told: told.map((p) => `${p.kind}:${p.id}`).sort(),
});
/** The answers stored for a person on the day, oldest first. */
const storedOf = async (person: string) => {
  const { rows } = await sql<Record<'answer' | 'version', string>>`
    select answer, version from call_answer where location = 'altamonte' and date = ${scene.date}::date
      and coalesce('therapist:' || therapist_id, 'client:' || client_id) = ${person} order by id`.execute(clinic.db);
  return rows;
};
/** The noes that a person's last yes ended. */
const endedBy = (person: string): readonly string[] =>
  (scene.standing.get(person) ?? []).findLast((each) => !each.heard)?.ended ?? [];
const noesNow = async (): Promise<readonly NoShown[]> => (await list()).declined;
const personOf = ({ kind, id }: { kind: string; id: string }) => ({ kind, id });

const post = (path: string, payload: object): Promise<LightMyRequestResponse> =>
  clinic.who.call({ method: 'POST', url: `/api/calls/${path}`, payload: { ...on(), ...payload } });

test(
  'given any changes and answers, the call list shows exactly how each day differs from what the person was last told',
  { timeout: timeLimit(doseOf('calls'), 15_000) },
  async () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    const { who } = clinic;
    await openNearDays(clinic.db, () => ({ date: isoDate(CLOCK.slice(0, 10)), minutes: 0 }));
    const now = await calendar();
    booked.opening = new Map(peopleIn(now).map((person) => [person, dayFor(now, person, EMPTY)]));
    const figures = {
      changed: 0,
      refused: 0,
      answered: 0,
      declined: 0,
      races: 0,
      familyTold: 0,
      restored: 0,
      ownPage: 0,
      undecided: 0,
      lines: 0,
    };
    const time = (): number => random.int(32, 60) * 15;
    const note = (reply: LightMyRequestResponse): void => {
      if (reply.statusCode >= 500) throw new Error(reply.body);
      figures[reply.statusCode < 300 ? 'changed' : 'refused']++;
    };
    const session = () => {
      const start = time();
      const end = formatTime(start + random.pick([15, 45, 60, 120]));
      const people = { client: random.pick(CLIENTS), therapist: random.pick([...THERAPISTS, null]) };
      return {
        ...on(),
        ...people,
        ...(random.chance(0.1) ? { date: random.pick(DATES) } : {}),
        start: formatTime(start),
        end,
        subject: random.pick(['Direct Therapy', 'Supervision']),
      };
    };
    const someKey = async (): Promise<string | undefined> => {
      const { rows } = await sql<{ id: string }>`select id from appointment where location = 'altamonte'
      and starts::date = ${scene.date}::date and service <> 'admin' and status <> 'entered-in-error' order by id`.execute(
        clinic.db,
      );
      return rows.length === 0 ? undefined : random.pick(rows).id;
    };
    const scope = () => (random.chance(0.5) ? { scope: 'following' } : {});
    const book = async (): Promise<LightMyRequestResponse> => {
      const payload = session();
      const weekly = random.chance(0.5) ? { weekly_until: addDays(isoDate(payload.date), 14) } : {};
      return who.call({ method: 'POST', url: '/api/appointments', payload: { ...payload, ...weekly } });
    };
    const absence = () => ({
      therapist: random.pick(THERAPISTS),
      date: scene.date,
      begin: formatTime(time()),
      end: '23:59',
    });

    const pages = await openPages(clinic);
    const acts: Record<string, () => Promise<void>> = {
      book: async () => note(await book()),
      move: async () => {
        const key = await someKey();
        if (key === undefined) return;
        const status = random.chance(0.3) ? { status: 'Scheduled' } : {};
        const payload = { ...session(), ...status, ...scope() };
        note(await who.call({ method: 'PUT', url: `/api/appointments/${key}`, payload }));
      },
      cancel: async () => {
        const key = await someKey();
        if (key === undefined) return;
        const told = random.chance(0.3);
        const url = `/api/appointments/${key}/cancel`;
        const reply = await who.call({ method: 'POST', url, payload: { family_told: told, ...scope() } });
        note(reply);
        if (told && reply.statusCode === 200 && (await keepCancelled(key))) figures.familyTold++;
      },
      'away and submit': async () => {
        const saved = await saveAbsences(who, [absence()], 'altamonte', { take_back: true });
        note(saved);
        const proposal = saved.json<ProposalReply>();
        if (saved.statusCode !== 200 || Object.keys(proposal.data).length === 0) return;
        const reply = await submit(who, submitBody(proposal, everyone(proposal)));
        note(reply);
        if (reply.statusCode !== 200) return;
        const { commit } = reply.json<{ commit: string }>();
        scene.commits.push(commit);
        expect(await givenInSpite(clinic.db, commit), 'sessions given to someone who said no').toEqual([]);
      },
      undo: async () => {
        const commit = scene.commits.pop();
        if (commit !== undefined) note(await undo(who, commit));
      },
      withdraw: async () => {
        const payload = { ...on(), type: 'therapist', name: random.pick(THERAPISTS), take_back: true };
        note(await who.call({ method: 'POST', url: '/api/absences/withdraw', payload }));
      },
      answer: async () => {
        const seen = await calendar();
        const { lines } = await list();
        if (lines.length === 0) return;
        // Sometimes someone who said no, so that a yes ends the no.
        const refused = lines.filter(({ kind, answers }) => kind === 'therapist' && answers.some(isNo));
        const line = random.pick(refused.length > 0 && random.chance(0.3) ? refused : lines);
        const person = `${line.kind}:${line.id}`;
        const answer = random.pick([
          'told',
          'told',
          'told',
          'no-answer',
          'left-message',
          'left-message',
          'said-no',
        ] as const);
        const sent = { kind: line.kind, id: line.id, version: line.version, answer, before_yes: true };
        // Sometimes two answers arrive at once, or one arrives while the day changes. Whatever the order, the person
        // was told about the day that was on the screen of the one who answered.
        const beside = random.pick(['alone', 'twice', 'change'] as const);
        const [before, noes] = [await storedOf(person), await noesNow()];
        const [reply, other] = await Promise.all([
          post('answer', sent),
          beside === 'twice' ? post('answer', sent) : beside === 'change' ? book() : undefined,
        ]);
        if (beside !== 'alone') figures.races++;
        const won = [reply, ...(beside === 'twice' ? [other] : [])].filter((each) => each?.statusCode === 200).length;
        if (beside === 'twice') {
          // Sent again, an answer is stored once. A page that does not say what it showed may have made a second call.
          const last = before.at(-1);
          const isKnown = answer === 'said-no' && last?.answer === answer && last.version === line.version;
          const stored = (await storedOf(person)).slice(before.length);
          expect([won, stored.length]).toEqual([
            2,
            isKnown ? 0 : answer === 'no-answer' || answer === 'left-message' ? 2 : 1,
          ]);
        }
        if (beside === 'alone') expect(reply.statusCode, reply.body).toBe(200);
        figures.answered += won;
        const day = toldNow(seen, person);
        const left = await noesNow();
        if (won > 0 && answer === 'told') keepTold(person, day, true, gone(noes, left));
        else if (won > 0 && (answer === 'left-message' || answer === 'said-no'))
          // A message that was left stays heard when a no is taken back.
          keep(person, { day, told: false, heard: answer, noes: answer === 'said-no' ? noesOf(line, left) : [] });
      },
      'say no': async () => {
        const open = (await list()).lines.filter((each) => each.sessions.length > 0);
        if (open.length === 0) return;
        const line = random.pick(open);
        const session = random.pick(line.sessions);
        const theirs = line.kind === 'therapist';
        const no = theirs
          ? random.pick([
              { scope: 'session' },
              { scope: 'session', sessions: [session.key] },
              { scope: 'today' },
              { scope: 'until', until: formatTime(time()) },
            ])
          : { scope: 'but', therapist: session.with?.id ?? clinic.clinic.ana };
        const person = `${line.kind}:${line.id}`;
        const [day, noes] = [toldNow(await calendar(), person), await noesNow()];
        const reply = await post('answer', { ...personOf(line), version: line.version, answer: 'said-no', no });
        note(reply);
        if (reply.statusCode !== 200) return;
        figures.declined++;
        const left = await noesNow();
        const own = gone(left, noes);
        keep(person, { day, told: false, heard: 'said-no', noes: own.length > 0 ? own : noesOf(line, left) });
        expect(left.length).toBeGreaterThan(0);
      },
      'take back a no': async () => {
        const { declined } = await list();
        if (declined.length === 0) return;
        const { id } = random.pick(declined);
        const reply = await post('said-no/take-back', { id, take_back: true });
        expect(reply.statusCode, reply.body).toBe(200);
        expect(reply.json<CallsReply>().declined.map((each) => each.id)).toEqual(
          declined.map((each) => each.id).filter((each) => each !== id),
        );
      },
      'not told': async () => {
        const { told, lines } = await list();
        const known = lines.filter(
          (line) => line.again?.heard === 'told' || line.answers.some((each) => each.answer === 'told'),
        );
        const candidates = [...told, ...known];
        if (candidates.length === 0) return;
        const ending = candidates.filter((each) => endedBy(`${each.kind}:${each.id}`).length > 0);
        const { kind, id } = random.pick(ending.length > 0 ? ending : candidates);
        const noes = await noesNow();
        const reply = await post('answer', { kind, id, version: '', answer: 'not-told' });
        expect(reply.statusCode, reply.body).toBe(200);
        const person = `${kind}:${id}`;
        // The noes that the yes ended stand again.
        const ended = endedBy(person);
        scene.standing.set(person, notTold(scene.standing.get(person) ?? []));
        expect(idsOf(await noesNow())).toEqual(idsOf([...noes, ...ended.map((no) => ({ id: no }))]));
        figures.restored += ended.length;
      },
      'day sheet': async () => {
        const now = await calendar();
        const { lines } = await expected();
        expect((await post('day-sheet', {})).statusCode).toBe(200);
        for (const person of Object.keys(lines)) keepTold(person, toldNow(now, person), false);
      },
      'own page': async () => {
        const found = await changedPage(random.sample(pages, pages.length), scene.date);
        if (!found) return;
        const { name, id, own, change } = found;
        // While everything is being decided, the page has no buttons.
        const answer = random.pick(change.say.length === 0 ? ['seen'] : ['seen', 'yes', 'cannot']);
        const [now, noes] = [await calendar(), await noesNow()];
        const person = `therapist:${id}`;
        const day = withUndecided(toldNow(now, person), believed(now, person).day, change);
        const sent = { ...on(), version: change.version, answer };
        const reply = await own.call({ method: 'POST', url: '/api/me/answer', payload: sent });
        expect(reply.statusCode, reply.body).toBe(204);
        figures.ownPage++;
        figures.undecided += change.undecided?.length ?? 0;
        scene.standing.set(person, andSeen(scene.standing.get(person) ?? [], day));
        const left = await noesNow();
        const added = gone(left, noes);
        if (answer === 'cannot')
          keep(person, { day, told: false, heard: 'said-no', noes: added.length > 0 ? added : noesOf({ name }, left) });
        else if (answer === 'yes' || (change.call === 'inform' && change.say.length > 0))
          keepTold(person, day, true, gone(noes, left));
      },
      claim: async () => {
        const [line] = (await list()).lines;
        if (!line) return;
        const reply = await post('claim', { kind: line.kind, id: line.id, ringing: random.chance(0.5) });
        expect(reply.statusCode, reply.body).toBe(200);
      },
    };
    const count = doseOf('calls');
    const history: string[] = [];
    for (let n = 0; n < count; n++) {
      const drawn = random.weighted([
        ...(['book', 'move', 'cancel'] as const).map((each) => [each, 3] as const),
        ...(['away and submit', 'undo', 'withdraw', 'not told', 'claim'] as const).map((each) => [each, 1.5] as const),
        ...(['say no', 'own page'] as const).map((each) => [each, 2] as const),
        ['take back a no', 1],
        ['answer', 7],
        ['day sheet', 0.2],
      ]);
      const name = figures.declined === 0 && n > count / 2 && n % 2 === 0 ? 'say no' : drawn; // a short run may lack one
      scene = random.chance(0.7) ? booked : empty;
      history.push(`${name} on ${scene.date}`);
      await acts[name]?.();
      const found = await list();
      figures.lines += found.lines.length;
      expect(shown(found), `act ${n}, after ${history.slice(-6).join(', ')}`).toEqual(await expected());
    }
    expect(figures.lines).toBeGreaterThan(count / 4);
    expect(figures.declined).toBeGreaterThan(0);
    if (count >= 400) expect(figures.familyTold).toBeGreaterThan(0);
    const open = await clinic.db.selectFrom('call_day').select('date').orderBy('date').execute();
    expect(open, 'only the near days of a series are open').toEqual(DATES.map((date) => ({ date })));
    keepFigures('calls', count, began, { ...figures, differences: 0 });
  },
);
