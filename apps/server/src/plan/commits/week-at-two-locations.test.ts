import { expect, test } from 'vitest';
import type { HoursReply, ProposalReply, RefreshReply } from '@clinic/contract';
import { addDays, findFaults, isoDate, type IsoDate, type Location } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import {
  asProposal,
  commitEveryone,
  detailOf,
  everyone,
  refresh,
  saveAbsences,
  submit,
  submitBody,
  takersOf,
  undo,
} from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp);
const MONDAY = isoDate('2026-12-07');
let weeks = 0;

/**
 * A week with a therapist who belongs to Altamonte and works at Tampa on the day of `there`, from 8:00 to 9:00 and from
 * 14:00 to 15:00. They are the only one who can take two hours from Ana at Altamonte, on each day of `here`, and from
 * Tom at Tampa, on the day of `there`. At Altamonte these begin at 9:00, at Tampa at 11:30.
 */
async function scene(here: readonly number[], there: number, hours: { week?: number; day?: number }) {
  const { db } = t.deps;
  const [monday, last] = [addDays(MONDAY, 7 * weeks), `Two${weeks++}`];
  const kai = await buildTherapist(db, { first: 'Kai', last, hours, windows: EVERY_DAY });
  const ana = await buildTherapist(db, { first: 'Ana', last });
  const tom = await buildTherapist(db, { first: 'Tom', last, location: 'tampa' });
  const strangers = await db.selectFrom('therapist').select('id').where('last_name', '<>', last).execute();
  const excludes = strangers.map(({ id }) => id);
  const client = (first: string, location: Location) => buildClient(db, { first, last, location, excludes });
  const [bo, mo, own] = [await client('Bo', 'altamonte'), await client('Mo', 'tampa'), await client('Own', 'tampa')];
  const dates = here.map((day) => addDays(monday, day));
  const away = addDays(monday, there);
  const tampa = { date: away, location: 'tampa' as const };
  await buildAppointment(db, { therapist: kai, client: own, ...tampa, start: '08:00', end: '09:00' });
  await buildAppointment(db, { therapist: kai, client: own, ...tampa, start: '14:00', end: '15:00' });
  await buildAppointment(db, { therapist: tom, client: mo, ...tampa, start: '11:30', end: '13:30' });
  for (const date of dates)
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
  const atAltamonte = async () =>
    (
      await saveAbsences(
        t.staff,
        dates.map((date) => ({ therapist: `Ana ${last}`, date })),
      )
    ).json<ProposalReply>();
  const atTampa = async () =>
    (await saveAbsences(t.staff, [{ therapist: `Tom ${last}`, date: away }], 'tampa')).json<ProposalReply>();
  const booked = async (): Promise<number | undefined> => {
    const url = `/api/ledgers/hours?location=altamonte&date=${monday}`;
    const { rows } = (await t.staff.call({ url })).json<HoursReply>();
    return rows.find(({ id }) => id === kai)?.booked;
  };
  return { last, dates, away, atAltamonte, atTampa, booked };
}

const EVERY_DAY = [1, 2, 3, 4, 5].map((day): [number, string, string] => [day, '07:00', '18:00']);
const sendAll = (options: ProposalReply) => submit(t.staff, submitBody(options, everyone(options)));
const takes = (options: ProposalReply, date: IsoDate | undefined, client: string): string =>
  takersOf(options, date ?? '', client).join();

test('given hours at another location in the same week, then a plan for several dates here leaves room for them', async () => {
  const { last, dates, atAltamonte, booked } = await scene([0, 1, 2], 3, { week: 6 });
  const options = await atAltamonte();
  // Two of the six hours are at Tampa, so only two of the three days can be covered.
  const taken = dates.map((date) => takes(options, date, `Bo ${last}`));
  expect(taken.sort()).toEqual([`Kai ${last}`, `Kai ${last}`, 'Unassigned']);
  const { commit } = await commitEveryone(t.staff, options);
  expect(await booked()).toBe(360);
  expect((await undo(t.staff, commit)).statusCode).toBe(200);
  expect(await booked()).toBe(120);
});

test.each([
  ['week', { week: 5 }, 0],
  ['day', { day: 5 }, 3],
] as const)(
  'given plans at two locations that together exceed a therapist’s hours of the %s, then the second commit is refused, and new options leave the session open',
  async (_, hours, day) => {
    for (const first of ['altamonte', 'tampa'] as const) {
      const { last, dates, away, atAltamonte, atTampa, booked } = await scene([day], 3, hours);
      const [here, there] = [await atAltamonte(), await atTampa()];
      expect(takes(here, dates[0], `Bo ${last}`)).toBe(`Kai ${last}`);
      expect(takes(there, away, `Mo ${last}`)).toBe(`Kai ${last}`);
      const [sent, second] = first === 'altamonte' ? [here, there] : [there, here];
      expect((await sendAll(sent)).statusCode).toBe(200);
      const refused = await sendAll(second);
      expect(refused.statusCode, refused.body).toBe(409);
      expect(detailOf(refused).conflicts.map(({ why }) => why)).toEqual([
        `Kai ${last} would take 2 h of others’ sessions, but may take at most 1 h.`,
      ]);
      expect(await booked()).toBe(240);
      const again = asProposal((await refresh(t.staff, second, [])).json<RefreshReply>());
      const [date, client] = first === 'altamonte' ? [away, `Mo ${last}`] : [dates[0], `Bo ${last}`];
      // An hour is left, which Kai may take.
      expect(takersOf(again, date ?? '', client).sort()).toEqual([`Kai ${last}`, 'Unassigned']);
      await commitEveryone(t.staff, again);
      expect(await booked()).toBe(300);
    }
  },
);

test('given two simultaneous commits at two locations that together exceed a therapist’s weekly hours, then one is written and the other is refused', async () => {
  for (let n = 0; n < 3; n++) {
    const { atAltamonte, atTampa, booked } = await scene([1], 3, { week: 5 });
    const options = [await atAltamonte(), await atTampa()];
    const replies = await Promise.all(options.map(sendAll));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await booked()).toBe(240);
  }
});

test('given a session pinned here, and a commit at another location that uses up the therapist’s week since, then the refresh refuses the pin', async () => {
  const { last, dates, atAltamonte, atTampa } = await scene([0, 1], 3, { week: 6 });
  const options = await atAltamonte();
  const pins = dates.map((date) => ({ date, client: `Bo ${last}`, option: 'Option 1' }));
  expect((await refresh(t.staff, options, pins)).statusCode).toBe(200);
  const fresh = await atAltamonte();
  await commitEveryone(t.staff, await atTampa());
  const refused = await refresh(t.staff, fresh, pins);
  expect(refused.statusCode, refused.body).toBe(410);
  expect(refused.body).toContain(`Kai ${last}`);
});

test('given a mix of options in a week with hours at another location, then the page counts them as the commit does', async () => {
  const { last, dates, atAltamonte } = await scene([0, 1, 2], 3, { week: 6 });
  const options = await atAltamonte();
  const hours = options.metadata.hours ?? {};
  for (const date of dates) expect(hours[date]?.[`Kai ${last}`]).toMatchObject({ week: 120, week_limit: 360 });
  const choices = Object.fromEntries(dates.map((date) => [date, { [`Bo ${last}`]: 'Option 1' }]));
  expect(findFaults({ claims: options.metadata.claims, hours }, choices)).toEqual([]);
});
