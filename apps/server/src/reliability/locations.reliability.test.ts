import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { locationValues, type Location } from '@clinic/domain';
import { randomFrom } from '@clinic/testkit';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { everyone, saveAbsences, submit, submitBody, undo } from '../testing/calls.ts';
import { buildCoverApp } from '../testing/cover-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { doseOf, keepFigures, LASTING, seedOfRun, timeLimit } from './testing/doses.ts';

const COUNT = doseOf('locations');
const DATE = '2031-03-03';
const PLACES = locationValues().slice(0, 3) as [Location, Location, Location];

interface Person {
  readonly who: SignedIn;
  readonly locations: readonly Location[];
}

let t: TestApp;
const people: Person[] = [];
const therapists: string[] = [];
const clients: { name: string; location: Location }[] = [];
beforeAll(async () => {
  t = await buildCoverApp({ config: { ...LASTING, logLevel: 'error' } });
  const { db } = t.deps;
  const groups: Location[][] = [...PLACES.map((place) => [place]), [PLACES[0], PLACES[1]], [...PLACES]];
  for (const locations of groups) people.push({ who: await t.signIn({ locations, role: 'scheduler' }), locations });
  const ids: string[] = [];
  for (let n = 0; n < 9; n++) {
    const location = PLACES[n % 3] as Location;
    ids.push(await buildTherapist(db, { first: 'Thea', last: `N${n}`, location, windows: [[1, '08:00', '18:00']] }));
    therapists.push(`Thea N${n}`);
  }
  // Everyone has sessions at two locations, so an act at one location could change the other.
  for (let n = 0; n < 9; n++) {
    const location = PLACES[(n + 1) % 3] as Location;
    const client = await buildClient(db, { first: 'Cleo', last: `M${n}`, location });
    clients.push({ name: `Cleo M${n}`, location });
    const at = (start: string, end: string): object => ({ client, date: DATE, start, end, location });
    await buildAppointment(db, { ...at('08:00', '10:00'), therapist: ids[n] ?? null } as Parameters<
      typeof buildAppointment
    >[1]);
    await buildAppointment(db, { ...at('13:00', '15:00'), therapist: ids[(n + 3) % 9] ?? null } as Parameters<
      typeof buildAppointment
    >[1]);
  }
}, 300_000);
afterAll(() => t.close());

/** Every row at every location that staff can see in some way. */
async function rowsByLocation(): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; location: string; row: string }>`
    select 'appointment ' || id as key, location,
      concat_ws('|', location, client_id, therapist_id, status, starts, ends, subject, service, family_told_at) as row from appointment
    union all
    select 'absence ' || id, location, concat_ws('|', date, start_minute, end_minute, withdrawn_at) from absence
    union all
    select 'day ' || date, location, version::text from location_day`.execute(t.deps.db);
  return new Map(rows.map(({ key, location, row }) => [`${location} ${key}`, row]));
}

/** The locations where staff see a client: the home location, and wherever the client has ever had a session. */
async function placesOf(client: string): Promise<string[]> {
  const { rows } = await sql<{ location: string }>`
    select location from client where display_name = ${client}
    union select a.location from appointment a join client c on c.id = a.client_id where c.display_name = ${client}`.execute(
    t.deps.db,
  );
  return rows.map((row) => row.location);
}

/** The locations where rows differ between the two states. `plans`: locations where a day counts as changed. */
function changedAt(before: Map<string, string>, after: Map<string, string>): { rows: Set<string>; plans: Set<string> } {
  const rows = new Set<string>();
  const plans = new Set<string>();
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(key) === after.get(key)) continue;
    const place = locationValues().find((location) => key.startsWith(`${location} `)) ?? '';
    (key.includes(' day ') ? plans : rows).add(place);
  }
  return { rows, plans };
}

test(
  'given a random action, an account changes no rows at other locations, and each change is in its location’s audit trail',
  { timeout: timeLimit(COUNT, 3000) },
  async () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    const { db } = t.deps;
    const proposals: { reply: ProposalReply; location: Location }[] = [];
    const commits: string[] = [];
    const seen = new Map<string, number>();
    const wrong: string[] = [];

    const act = async (person: Person): Promise<{ what: string; status: number; body: string }> => {
      const { who } = person;
      // Most acts are at one of the account's own locations, so that they test the guard on each row rather than the
      // check of the request's location.
      const location = random.chance(0.85) ? random.pick(person.locations) : random.pick(PLACES);
      const kind = random.pick(['away', 'away', 'back', 'submit', 'submit', 'undo', 'book', 'cancel', 'save'] as const);
      const done = (what: string, reply: { statusCode: number; body: string }) => ({
        what: `${kind} ${what} at ${location}`,
        status: reply.statusCode,
        body: reply.body,
      });
      if (kind === 'away') {
        const [begin, end] = random.pick([
          ['08:00', '18:00'],
          ['08:00', '10:00'],
          ['12:00', '16:00'],
        ] as const);
        const name = random.chance(0.8)
          ? { therapist: random.pick(therapists) }
          : { client: random.pick(clients).name };
        const query = { ...name, begin, end, date: DATE, replaces: random.chance(0.7) };
        const reply = await saveAbsences(who, [query], location, { take_back: random.chance(0.5) });
        if (reply.statusCode === 200) proposals.push({ reply: reply.json<ProposalReply>(), location });
        return done(JSON.stringify(query), reply);
      }
      if (kind === 'back') {
        const payload = {
          location,
          date: DATE,
          type: 'therapist',
          name: random.pick(therapists),
          take_back: random.chance(0.5),
        };
        return done('', await who.call({ method: 'POST', url: '/api/absences/withdraw', payload }));
      }
      if (kind === 'submit') {
        const chosen = proposals.at(-1);
        if (!chosen) return { what: 'nothing to submit', status: 0, body: '' };
        const reply = await submit(who, submitBody(chosen.reply, everyone(chosen.reply)));
        if (reply.statusCode === 200) commits.push(reply.json<{ commit: string }>().commit);
        return done('', reply);
      }
      if (kind === 'undo') {
        const commit = commits.at(-1);
        return commit ? done('', await undo(who, commit)) : { what: 'nothing to undo', status: 0, body: '' };
      }
      if (kind === 'save') {
        const row = await db
          .selectFrom('therapist')
          .selectAll()
          .where('display_name', '=', random.pick(therapists))
          .executeTakeFirstOrThrow();
        const { first_name, last_name, start_date, specialization } = row;
        const payload = {
          first_name,
          last_name,
          start_date,
          specialization,
          location: random.chance(0.8) ? row.location : location,
          gender: random.pick(['Female', 'Male']),
        };
        return done('', await who.call({ method: 'PUT', url: `/api/therapists/${row.id}`, payload }));
      }
      const rows = await db
        .selectFrom('appointment')
        .select(['id', 'version'])
        .where('status', '=', 'pending')
        .orderBy('id')
        .execute();
      if (kind === 'cancel' && rows.length > 9) {
        const row = random.pick(rows);
        return done('', await who.call({ method: 'POST', url: `/api/appointments/${row.id}/cancel`, payload: {} }));
      }
      const start = random.pick(['08:00', '10:00', '11:00', '13:00', '16:00']);
      const payload = {
        location,
        client: random.pick(clients).name,
        therapist: random.pick(therapists),
        date: DATE,
        start,
        end: `${Number(start.slice(0, 2)) + 1}:00`,
        subject: 'Direct Therapy',
      };
      return done(payload.client, await who.call({ method: 'POST', url: '/api/appointments', payload }));
    };

    let before = await rowsByLocation();
    for (let n = 0; n < COUNT; n++) {
      const person = random.pick(people);
      const { what, status, body } = await act(person);
      expect(status, `${what}: ${body}`).toBeLessThan(500);
      seen.set(String(status), (seen.get(String(status)) ?? 0) + 1);
      const after = await rowsByLocation();
      const { rows, plans } = changedAt(before, after);
      before = after;
      for (const place of rows)
        if (!person.locations.some((own) => own === place))
          wrong.push(`${n} ${what}: ${person.locations.join()} changed rows of ${place}`);
      const trail = await db
        .selectFrom('audit')
        .select('location')
        .where('account_id', '=', person.who.accountId)
        .where('action', 'not like', '%.read')
        .where(
          'request_id',
          '=',
          sql<string>`(select request_id from audit where account_id = ${person.who.accountId} order by at desc, chain desc, number desc limit 1)`,
        )
        .execute();
      for (const place of [...rows, ...plans])
        if (!trail.some((entry) => entry.location === place))
          wrong.push(`${n} ${what}: nothing in the trail of ${place}`);
      for (const { name } of clients) {
        // A name sent in the request, or visible in the caller's own calendars, reveals nothing new.
        if (status < 400 || !body.includes(name) || what.includes(name)) continue;
        const known = await placesOf(name);
        if (!person.locations.some((own) => known.includes(own)))
          wrong.push(`${n} ${what}: names ${name} of ${known.join()}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.get('200') ?? 0).toBeGreaterThan(COUNT / 10);
    expect(seen.get('403') ?? 0).toBeGreaterThan(COUNT / 20);
    keepFigures('locations', COUNT, began, Object.fromEntries(seen));
  },
);
