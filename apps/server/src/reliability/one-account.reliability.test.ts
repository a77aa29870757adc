import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '@clinic/testkit';
import { addDays, formatTime, isoDate } from '@clinic/domain';
import { lockAll, personDay } from '../db/locks.ts';
import { openSolver } from '../plan/options/solver.ts';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { forgetting } from '../testing/cover-app.ts';
import { buildSmallClinic, DATE, type SmallClinic } from '../testing/small-clinic.ts';
import { buildTestApp, tokenFor, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { doseOf, keepFigures, LASTING, seedOfRun, timeLimit } from './testing/doses.ts';

const COUNT = doseOf('one-account');
/** How many requests from the same account are open at the same time. */
const AT_ONCE = 300;
/** The statuses of successful reads, logins and bookings. */
const DONE = [200, 201];
const SATURDAY = '2030-11-25';
/** A different location, where the other account works. */
const THERE = 'orlando';

/** Each request for options needs the solver, although all ask for the same options. */
const solver = forgetting(openSolver({ seconds: 60, workers: availableParallelism() }));
let t: TestApp;
let clinic: SmallClinic;
let flood: SignedIn;
let small: SignedIn;
beforeAll(async () => {
  t = await buildTestApp({ solver, config: { ...LASTING, logLevel: 'error' } });
  const { db } = t.deps;
  clinic = await buildSmallClinic(db);
  for (let day = 0; day < 14; day++)
    await buildAbsence(db, { therapist: clinic.ana, date: addDays(isoDate(DATE), day) });
  const windows = [1, 2, 3, 4, 5, 6].map((day): [number, string, string] => [day, '08:00', '17:00']);
  const ida = await buildTherapist(db, { first: 'Ida', last: 'Orr', location: THERE, windows });
  await buildTherapist(db, { first: 'Zoe', last: 'Orr', location: THERE, windows });
  const tim = await buildClient(db, { first: 'Tim', last: 'Orr', location: THERE });
  const times = { date: DATE, start: '08:30', end: '11:30', location: THERE } as const;
  await buildAppointment(db, { therapist: ida, client: tim, ...times });
  await buildAbsence(db, { therapist: ida, date: DATE });
  flood = await t.signIn();
  small = await t.signIn({ locations: [THERE] });
}, 300_000);
afterAll(async () => {
  await t.close();
  await solver.close();
});

const post = (who: SignedIn, url: string, payload: object | string) =>
  who.call({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload });

/** Four minutes of a Saturday, or of a later one, when people are available; another for each number. */
const fourMinutes = (n: number) => {
  const start = 8 * 60 + (n % 120) * 4;
  return {
    date: addDays(isoDate(SATURDAY), 7 * Math.floor(n / 120)),
    start: formatTime(start),
    end: formatTime(start + 4),
  };
};

const bookFour = (n: number) =>
  post(flood, '/api/appointments', {
    client: 'Bo Lee',
    therapist: 'Kai Wood',
    location: 'altamonte',
    subject: 'Direct Therapy',
    ...fourMinutes(n),
  });

const readThere = () => small.call({ url: `/api/slots?date=${DATE}&location=${THERE}` });
const proposeThere = () => post(small, '/api/proposals', { location: THERE, dates: [DATE] });
let booked = 0;
const bookThere = () =>
  post(small, '/api/appointments', {
    client: 'Tim Orr',
    therapist: 'Zoe Orr',
    location: THERE,
    subject: 'Direct Therapy',
    ...fourMinutes(booked++),
  });
const signInAgain = async () => ({
  statusCode: (await tokenFor(t.app, small.email, small.password)) ? 200 : 0,
  body: '',
});

test('given 300 bookings by one account that wait for a lock, other accounts can read, log in and book, and all 300 get a reply', async () => {
  let bookings: Promise<number>[] = [];
  let refused = 0; // how many bookings were refused because they waited too long for their turn
  const refusedBefore: number[] = []; // how many bookings had been refused before each read by the other account
  await t.deps.db.transaction().execute(async (trx) => {
    await lockAll(trx, [personDay('client', clinic.bo, SATURDAY)]);
    bookings = Array.from({ length: 300 }, async (_, n) => {
      const { statusCode } = await bookFour(n);
      refused++;
      return statusCode;
    });
    const meanwhile = await Promise.all([
      ...Array.from({ length: 50 }, async () => {
        const reply = await readThere();
        refusedBefore.push(refused);
        return reply;
      }),
      signInAgain(),
      signInAgain(),
      bookThere(),
      bookThere(),
      proposeThere(),
    ]);
    expect(meanwhile.map((reply) => reply.statusCode).filter((status) => !DONE.includes(status))).toEqual([]);
    // On a busy machine, the last read may come after the first bookings have waited their ten seconds.
    expect(Math.min(...refusedBefore)).toBe(0);
  });
  const statuses = await Promise.all(bookings);
  // No reply is a server fault; a booking that waited too long for its turn was refused before it began.
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(3);
  const { n } = await t.deps.db
    .selectFrom('appointment')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('client_id', '=', clinic.bo)
    .where('starts', '>=', `${SATURDAY} 00:00`)
    .executeTakeFirstOrThrow();
  expect(Number(n)).toBe(statuses.filter((status) => status === 201).length);
});

test(
  'given one account that sends as much as it can, another account is always served and never refused',
  async () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    const dates = Array.from({ length: 14 }, (_, day) => addDays(isoDate(DATE), day));
    const many = `{"output":[${'1,'.repeat(1_000_000)}1]}`;
    let n = 300;
    const acts: readonly (() => Promise<{ statusCode: number }>)[] = [
      () => bookFour(n++),
      () => bookFour(n++),
      () => post(flood, '/api/proposals', { location: 'altamonte', dates }),
      () => post(flood, '/api/refresher', many),
      () => flood.call({ url: `/api/slots?date=${DATE}&location=altamonte` }),
      () => post(flood, '/api/sessions/end-others', { current_password: 'a guess of some length' }),
    ];
    const seen = new Map<number, number>();
    let left = COUNT;
    let flooding = true;
    const worker = async (): Promise<void> => {
      while (left-- > 0) {
        const { statusCode } = await (acts[random.int(0, acts.length - 1)] as (typeof acts)[number])();
        seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1);
      }
    };
    const floods = Promise.all(Array.from({ length: AT_ONCE }, worker)).finally(() => (flooding = false));
    const refused: string[] = [];
    let rounds = 0;
    while (flooding) {
      for (const act of [readThere, proposeThere, bookThere, signInAgain]) {
        const { statusCode, body } = await act();
        if (!DONE.includes(statusCode)) refused.push(`${statusCode} ${body.slice(0, 100)}`);
      }
      if (flooding) rounds++;
    }
    await floods;
    keepFigures('one-account', COUNT, began, {
      'other account refused': refused.length,
      'its rounds meanwhile': rounds,
      '5xx that are faults': seen.get(500) ?? 0,
      'of the one account done': (seen.get(200) ?? 0) + (seen.get(201) ?? 0),
      'told to come back': seen.get(503) ?? 0,
    });
    expect(refused).toEqual([]);
    expect([...seen.keys()].filter((status) => ![200, 201, 409, 413, 422, 429, 503].includes(status))).toEqual([]);
    expect(rounds).toBeGreaterThan(2);
  },
  timeLimit(COUNT, 500),
);
