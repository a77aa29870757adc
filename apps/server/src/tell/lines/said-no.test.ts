import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ActionsReply, CallsReply, Explanation, ProposalReply } from '@clinic/contract';
import {
  commitEveryone,
  detailOf,
  everyone,
  saveAbsences,
  slotsOf,
  solveDay,
  submit,
  submitBody,
  undo,
} from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { waitsOrReplied } from '../../testing/waits.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';

let app: TestApp | undefined;
let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
beforeEach(async () => {
  ({ app, db, who, clinic } = await openSmallClinic(app));
});
afterAll(() => app?.close());

const { list, lineOf, post, answer, answered, covered } = new CallList(() => who);
const saidNo = (name: string, no: object) => answered(name, 'said-no', { no });
const solve = () => solveDay(who);
/** A client's therapists in each option. */
const takers = (proposal: ProposalReply, client = 'Bo Lee'): string[][] => {
  const options = proposal.data[DATE]?.[client] ?? {};
  return Object.values(options).map((slots) => Object.values(slots).map((cell) => cell.therapist));
};
const openOn = async (): Promise<string[]> =>
  (await slotsOf(who, DATE)).appointments.filter((a) => a.needs_cover).map((a) => a['Client Name']);

test('given a therapist who said no to covering a session, then it needs cover and no option offers them again', async () => {
  await covered();
  expect(await openOn()).toEqual([]);
  const after = await answered('Kai Wood', 'said-no', { no: { scope: 'session' }, note: 'at the dentist' });
  expect(after.declined).toMatchObject([{ therapist: 'Kai Wood', own_page: false, note: 'at the dentist' }]);
  expect(after.declined[0]?.words).toMatch(/^Bo Lee 8:30 to 11:30, said no at \d+:\d\d/);
  expect((await lineOf('Bo Lee')).waits_for).toEqual([expect.stringMatching(/^Kai Wood said no at \d/)]);
  expect(await openOn()).toEqual(['Bo Lee']);
  const options = takers(await solve());
  // The session has no therapist now, so neither the calendar nor the options show it as Confirmed.
  const { appointments } = await slotsOf(who, DATE);
  expect(appointments.find((a) => a['Client Name'] === 'Bo Lee')?.Appointment_Status).toBe('Scheduled');
  expect((await solve()).metadata.weekly_schedule['Bo Lee']).toMatchObject([{ status: 'Scheduled' }]);
  expect(options.length).toBeGreaterThan(0);
  expect(options.flat()).not.toContain('Kai Wood');
  const today = await who.call({ url: '/api/today', query: ON });
  expect(today.json()).toMatchObject({
    needs_cover: [{ client: 'Bo Lee', why: expect.stringMatching(/^Kai Wood: said no at/) as string }],
  });
});

test('if a therapist says no to their part of a session, the list names only that part, whatever happens to the session later', async () => {
  await saveAbsences(who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '10:00', end: '11:30' }]);
  const proposal = await solve();
  expect(takers(proposal)[0]).toEqual(['Ana Ruiz', 'Kai Wood']);
  expect((await submit(who, submitBody(proposal, everyone(proposal)))).statusCode).toBe(200);
  const { declined } = await saidNo('Kai Wood', { scope: 'session' });
  expect(declined[0]?.words).toMatch(/^Bo Lee 10:00 to 11:30, said no at \d/);
  // The list must show the refusal unchanged after a plan has given that part to someone else, and after the family has
  // cancelled.
  await commitEveryone(who, await solve());
  expect(await openOn()).toEqual([]);
  expect((await list()).declined.map(({ words }) => words)).toEqual([declined[0]?.words]);
  for (const { key } of (await slotsOf(who, DATE)).appointments.filter((a) => a['Client Name'] === 'Bo Lee')) {
    const reply = await who.call({ method: 'POST', url: `/api/appointments/${key}/cancel`, payload: {} });
    expect(reply.statusCode, reply.body).toBe(200);
  }
  expect((await list()).declined.map(({ words }) => words)).toEqual([declined[0]?.words]);
});

test('given a session that became longer, if its therapist says no, only the part that was added needs cover', async () => {
  const people = { location: 'altamonte', date: DATE, client: 'Bo Lee', therapist: 'Ana Ruiz', end: '11:30' };
  const move = async (start: string) => {
    const payload = { ...people, start, subject: 'Direct Therapy' };
    const reply = await who.call({ method: 'PUT', url: `/api/appointments/${clinic.boMorning}`, payload });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  await move('09:30');
  await answered('Ana Ruiz', 'told');
  await move('08:30');
  const line = await lineOf('Ana Ruiz');
  expect([line.call, line.sessions]).toMatchObject(['ask', [{ start: '08:30', end: '09:30' }]]);
  const plans = await who.call({ url: '/api/calls/plan-b', query: ON });
  expect(plans.json()).toMatchObject({ plans: [{ words: 'else Kai Wood, on the team of Bo' }] });
  const { declined } = await saidNo('Ana Ruiz', { scope: 'session' });
  expect(declined.map(({ words }) => words)).toEqual([expect.stringMatching(/^Bo Lee 8:30 to 9:30, said no at \d/)]);
  const uncovered = async () =>
    (await slotsOf(who, DATE)).appointments.filter((a) => a.needs_cover).map((a) => a.uncovered);
  expect(await uncovered()).toEqual([[{ start: '08:30', end: '09:30' }]]);
  const options = await solve();
  expect(takers(options)[0]).toEqual(['Kai Wood', 'Ana Ruiz']);
  const reply = await submit(who, submitBody(options, everyone(options)));
  const actions = reply.json<ActionsReply>().actions.filter((a) => a.to_therapist === 'Kai Wood');
  expect(actions.map((a) => a.time)).toEqual(['8:30 AM - 9:30 AM']);
  expect((await list()).declined.map(({ words }) => words)).toEqual(declined.map(({ words }) => words));
});

test('given a therapist who knows about one piece of a session, when they say no to another piece, then they keep the first piece', async () => {
  const away = (begin: string, end: string) => ({ therapist: 'Ana Ruiz', date: DATE, begin, end });
  await saveAbsences(who, [away('08:30', '09:30')]);
  await commitEveryone(who, await solve());
  await answered('Kai Wood', 'told');
  await saveAbsences(who, [away('08:30', '09:30'), away('10:30', '11:30')]);
  await saveAbsences(who, [
    { therapist: 'Lin Park', date: DATE },
    { therapist: 'Max Dean', date: DATE },
    { therapist: 'Kai Wood', date: DATE, begin: '09:30', end: '10:30' },
  ]);
  await commitEveryone(who, await solve());
  const { declined } = await saidNo('Kai Wood', { scope: 'session' });
  expect(declined.map(({ words }) => words)).toEqual([expect.stringMatching(/^Bo Lee 10:30 to 11:30, said no at \d/)]);
  const open = (await slotsOf(who, DATE)).appointments.filter((a) => a.needs_cover && a['Client Name'] === 'Bo Lee');
  expect(open.map((a) => a.uncovered)).toEqual([[{ start: '10:30', end: '11:30' }]]);
});

test('given options, when one of their therapists says no, submitting the options is refused with the reason', async () => {
  await covered();
  await saveAbsences(who, [
    { therapist: 'Lin Park', date: DATE },
    { therapist: 'Max Dean', date: DATE },
  ]);
  const early = await solve();
  expect(takers(early, 'Mo Diaz')[0]).toContain('Kai Wood');
  await saidNo('Kai Wood', { scope: 'today' });
  const reply = await submit(who, submitBody(early, everyone(early)));
  expect(reply.statusCode, reply.body).toBe(409);
  expect(detailOf(reply).conflicts.map((c) => c['why'])).toContainEqual(
    expect.stringMatching(/^Kai Wood said no at \d/),
  );
});

test('given options that leave a session with its therapist, when the therapist declines it, then a commit is refused, and the refusal names the session', async () => {
  await covered();
  await saveAbsences(who, [{ therapist: 'Kai Wood', date: DATE, begin: '08:30', end: '10:00' }]);
  const early = await solve();
  expect(Object.keys(early.data[DATE] ?? {})).toContain('Bo Lee');
  await saidNo('Kai Wood', { scope: 'session' });
  const reply = await submit(who, submitBody(early, everyone(early)));
  expect(reply.statusCode).toBe(409);
  expect(detailOf(reply).conflicts[0]?.['why']).toMatch(
    /^Bo Lee’s session needs another therapist: Kai Wood said no at \d/,
  );
});

test('given a therapist who says no for the rest of today, then the therapist gets no other session and keeps their own sessions', async () => {
  await covered();
  await saveAbsences(who, [{ therapist: 'Kai Wood', date: DATE, begin: '00:00', end: '00:15' }]);
  await saidNo('Kai Wood', { scope: 'today' });
  await saveAbsences(who, [{ therapist: 'Lin Park', date: DATE }]);
  const proposal = await solve();
  expect(Object.keys(proposal.data[DATE] ?? {})).toEqual(['Bo Lee', 'Mo Diaz']);
  expect([...takers(proposal), ...takers(proposal, 'Mo Diaz')].flat()).not.toContain('Kai Wood');
});

test('given a therapist who says no until a certain time, then the therapist is away until then, unless the no is taken back', async () => {
  await covered();
  const early = await answer('Kai Wood', 'said-no', { no: { scope: 'until', until: '08:30' } });
  expect([early.statusCode, early.json<{ detail: string }>().detail]).toEqual([
    422,
    'The changes for Kai Wood start at 8:30. Nothing was saved. Enter a later time.',
  ]);
  const after = await saidNo('Kai Wood', { scope: 'until', until: '10:00' });
  expect(after.declined[0]?.words).toMatch(/^away until 10:00, said no at/);
  const away = async () => (await slotsOf(who, DATE)).absences?.map((a) => [a.name, a.startTime, a.endTime]);
  expect(await away()).toEqual([
    ['Ana Ruiz', '00:00', '23:59'],
    ['Kai Wood', '08:30', '10:00'],
  ]);
  const back = await post('said-no/take-back', { id: after.declined[0]?.id });
  expect(back.statusCode, back.body).toBe(200);
  expect(await away()).toEqual([['Ana Ruiz', '00:00', '23:59']]);
});

test('given a therapist who cannot come before a second, later time, then taking back either no leaves the time of the other', async () => {
  await covered();
  await saidNo('Kai Wood', { scope: 'until', until: '10:00' });
  const { declined } = await saidNo('Kai Wood', { scope: 'until', until: '12:00' });
  const away = async () =>
    (await slotsOf(who, DATE)).absences
      .filter(({ name }) => name === 'Kai Wood')
      .map((a) => `${a.startTime}-${a.endTime}`);
  const takeBack = (until: string) =>
    post('said-no/take-back', {
      id: declined.find(({ words }) => words.includes(`until ${until}`))?.id,
      take_back: true,
    });
  expect(await away()).toEqual(['08:30-10:00', '10:00-12:00']);
  expect((await takeBack('10:00')).statusCode).toBe(200);
  expect(await away()).toEqual(['08:30-10:00', '10:00-12:00']);
  expect((await takeBack('12:00')).statusCode).toBe(200);
  expect(await away()).toEqual([]);
});

test('given two noes until different times that are taken back at the same moment, then the therapist is not away', async () => {
  await covered();
  await saidNo('Kai Wood', { scope: 'until', until: '10:00' });
  const { declined } = await saidNo('Kai Wood', { scope: 'until', until: '12:00' });
  const pool = app?.deps.pool;
  if (!pool) throw new Error('there is no clinic');
  const sent = await db.transaction().execute(async (trx) => {
    await lockAll(trx, [personDay('therapist', clinic.kai, DATE)]);
    const both = declined.map(({ id }) => post('said-no/take-back', { id, take_back: true }));
    expect(await waitsOrReplied(pool, both, 2)).toBe(true);
    return { both };
  });
  expect((await Promise.all(sent.both)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect((await slotsOf(who, DATE)).absences.map(({ name }) => name)).toEqual(['Ana Ruiz']);
});

test.each([{ scope: 'session' }, { scope: 'today' }, { scope: 'until', until: '10:00' }])(
  'given the same no twice, in one moment or later, it stands once, and taking it back ends it: $scope',
  async (no) => {
    await covered();
    const { kind, id, version } = await lineOf('Kai Wood');
    const given = { kind, id, version, answer: 'said-no', no };
    const sent = await Promise.all([post('answer', given), post('answer', given)]);
    expect(sent.map(({ statusCode }) => statusCode)).toContain(200);
    if (no.scope !== 'until') await saidNo('Kai Wood', no);
    const { declined } = await list();
    expect(declined.map(({ therapist }) => therapist)).toEqual(['Kai Wood']);
    const back = await post('said-no/take-back', { id: declined[0]?.id });
    expect([back.statusCode, back.json<CallsReply>().declined]).toEqual([200, []]);
    expect(await openOn()).toEqual([]);
  },
);

test('given a no that is taken back or followed by a yes, then the therapist may be asked again', async () => {
  await covered();
  const { declined } = await saidNo('Kai Wood', { scope: 'session' });
  const back = await post('said-no/take-back', { id: declined[0]?.id });
  expect([back.statusCode, back.json<CallsReply>().declined]).toEqual([200, []]);
  expect(await openOn()).toEqual([]);
  await saidNo('Kai Wood', { scope: 'session' });
  expect(await openOn()).toEqual(['Bo Lee']);
  expect((await answer('Kai Wood', 'told')).statusCode).toBe(200);
  expect([(await list()).declined, await openOn()]).toEqual([[], []]);
});

test('given an undo after a no, then the no stays: the same therapist is not offered again', async () => {
  const commit = await covered();
  await saidNo('Kai Wood', { scope: 'session' });
  expect((await undo(who, commit)).statusCode).toBe(200);
  expect(takers(await solve()).flat()).not.toContain('Kai Wood');
});

test('the reasons why a session has no therapist say who said no and when, and count every therapist only once', async () => {
  await covered();
  await saidNo('Kai Wood', { scope: 'session' });
  await saveAbsences(who, [
    { therapist: 'Lin Park', date: DATE },
    { therapist: 'Max Dean', date: DATE },
  ]);
  const proposal = await solve();
  const slot = Object.keys(proposal.data[DATE]?.['Bo Lee']?.['Option 1'] ?? {})[0] ?? '';
  const { proposal: id, revision } = proposal.metadata;
  const payload = { proposal: id, revision, date: DATE, client: 'Bo Lee', option: 'Option 1', time_slot: slot };
  const why = (await who.call({ method: 'POST', url: '/api/proposals/explain', payload })).json<Explanation>();
  expect(why.excluded.flatMap((e) => e.therapists)).toContainEqual(expect.stringMatching(/^Kai Wood, said no at \d/));
  expect(why.excluded.reduce((n, e) => n + e.count, 0)).toBe(why.therapists);
});

test('given a family that refuses a therapist, then another therapist is offered; only a family can refuse a therapist in this way', async () => {
  await covered();
  const wrong = await answer('Kai Wood', 'said-no', { no: { scope: 'but', therapist: clinic.kai } });
  expect(wrong.statusCode).toBe(422);
  expect((await answer('Bo Lee', 'said-no', { no: { scope: 'but', therapist: clinic.max } })).statusCode).toBe(422);
  const after = await saidNo('Bo Lee', { scope: 'but', therapist: clinic.kai });
  expect(after.declined[0]?.words).toMatch(/^Bo Lee 8:30 to 11:30, was refused by the family at/);
  expect(takers(await solve()).flat()).not.toContain('Kai Wood');
});

test('a no is refused for sessions that are not on the line or are at another location, and is audited without names', async () => {
  await covered();
  const strange = await answer('Kai Wood', 'said-no', { no: { scope: 'session', sessions: [clinic.moAfternoon] } });
  expect(strange.statusCode).toBe(422);
  const far = await app?.signIn({ locations: ['tampa'] });
  const { declined } = await saidNo('Kai Wood', { scope: 'today' });
  expect((await post('said-no/take-back', { id: declined[0]?.id }, far)).statusCode).toBe(403);
  await post('said-no/take-back', { id: declined[0]?.id });
  const rows = await db
    .selectFrom('audit')
    .select(['action', 'subject_ids', 'detail'])
    .where('action', 'like', 'call.%')
    .execute();
  expect(rows).toMatchObject([
    { action: 'call.answered', subject_ids: [clinic.kai], detail: { date: DATE, answer: 'said-no', scope: 'today' } },
    { action: 'call.no-taken-back', subject_ids: [clinic.kai] },
  ]);
});
