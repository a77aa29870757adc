import { expect, test } from 'vitest';
import type { CallsReply, ChoicesReply, ProposalReply } from '@clinic/contract';
import { CallList } from '../../testing/call-list.ts';
import { commitEveryone, propose, slotsOf, solveDay, undo } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { OneDay } from '../../testing/one-day.ts';
import { dayOf as rowsOf } from '../../testing/state.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp);

const dayOf = (date: string, last: string) => new OneDay(t.db, date, last);
const callsOf = (day: OneDay) => new CallList(() => t.staff, day.on);
const without = (day: OneDay, ...names: string[]): Promise<ProposalReply> =>
  propose(t.staff, ...names.map((first) => ({ therapist: day.name(first), date: day.on.date })));
async function post<Reply>(url: string, payload: object): Promise<Reply> {
  const reply = await t.staff.call({ method: 'POST', url, payload });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Reply>();
}
/** A client's therapists in each option that changes their session. */
const takers = ({ data }: ProposalReply, { on, name }: OneDay, first: string): string[][] =>
  Object.values(data[on.date]?.[name(first)] ?? {}).map((slots) => Object.values(slots).map((c) => c.therapist));

test('given two covering therapists, of whom one was told and the other says no, then every option keeps the one who was told and replaces the other', async () => {
  const day = dayOf('2030-12-02', 'Ives');
  const spanish = { tags: ['Spanish'] };
  const [ana, ben] = [await day.therapist('Ana'), await day.therapist('Ben')];
  const [kai, lin] = [await day.therapist('Kai', spanish), await day.therapist('Lin', spanish)];
  const max = await day.therapist('Max');
  // Ned could take only a part of the refused session. Kai could take the whole session if Max took over the cover that
  // Kai was told about.
  await day.therapist('Ned', { ...spanish, to: '10:00' });
  const [bo, mo] = [await day.client('Bo'), await day.client('Mo', { needs: ['Spanish'] })];
  await day.onTeam(kai, bo);
  await day.onTeam(lin, mo);
  await day.knows(max, bo);
  await day.session(ana, bo, '09:00', '11:00');
  await day.session(ben, mo, '09:00', '11:00');
  await commitEveryone(t.staff, await without(day, 'Ana', 'Ben'));
  const { told, answered } = callsOf(day);
  await told('Kai Ives', 'Bo Ives');
  await answered('Lin Ives', 'said-no', { no: { scope: 'session' } });

  const dates = { dates: [day.on.date] };
  const free = await solveDay(t.staff, { ...dates, keep: 'nothing' });
  const freely = ['Bo', 'Mo'].map((first) => takers(free, day, first)[0]);
  expect(freely, 'if nothing told is kept, Kai moves').toEqual([['Max Ives'], ['Kai Ives']]);
  const kept = await solveDay(t.staff, dates);
  expect(kept.metadata.told).toEqual({ [day.on.date]: { people: 2, kept: true } });
  expect(takers(kept, day, 'Bo'), 'no option changes what Kai was told').toEqual([]);
  const options = takers(kept, day, 'Mo');
  expect(options.length).toBeGreaterThan(0);
  for (const option of options) expect(option).toEqual(['Ned Ives', 'Unassigned']);
  await commitEveryone(t.staff, kept);
  expect(await rowsOf(t.db, day.on.date)).toEqual([
    '09:00-10:00 Ned Ives/Ben Ives booked',
    '09:00-11:00 Kai Ives/Ana Ives booked',
    '10:00-11:00 nobody/Ben Ives booked',
  ]);
});

/** The options of a day on which Ana is away. Either two people can cover, each on their client's team, or one of them alone. */
async function oneOrTwo(date: string, last: string) {
  const day = dayOf(date, last);
  const ana = await day.therapist('Ana');
  const [bo, mo] = [await day.client('Bo'), await day.client('Mo')];
  await day.onTeam(await day.therapist('Kai'), bo);
  await day.onTeam(await day.therapist('Lin'), mo);
  await day.session(ana, bo, '09:00', '10:00');
  await day.session(ana, mo, '10:00', '11:00');
  const { metadata } = await without(day, 'Ana');
  return { day, metadata, options: Object.entries(metadata.options[day.on.date] ?? {}) };
}

test('given a day on which “Balanced” calls in two people, then “Fewest calls” makes the fewest calls, and each option makes as many as its figure says', async () => {
  const { day, metadata, options } = await oneOrTwo('2030-12-03', 'Judd');
  const [, balanced] = options.find(([, { strategy }]) => strategy === 'balanced') ?? [];
  const [, fewest] = options.find(([, { strategy }]) => strategy === 'fewest-calls') ?? [];
  expect(balanced).toMatchObject({ calls: 2, leads_in: null });
  expect(fewest).toMatchObject({ label: 'Fewest calls', calls: 1, leads_in: 'calls' });
  expect(Math.min(...options.map(([, { calls }]) => calls))).toBe(fewest?.calls);
  for (const [option, { calls }] of options) {
    const asked = { proposal: metadata.proposal, revision: metadata.revision, date: day.on.date, option };
    const { lines } = await post<Pick<CallsReply, 'lines'>>('/api/proposals/calls', asked);
    // Whatever the plan is, the families of the absent therapist must be told.
    expect(lines.filter(({ kind }) => kind === 'therapist').length, option).toBe(calls);
  }
});

test('given a past day, then no option has calls to make, and “Fewest calls” is not offered', async () => {
  const { day, metadata, options } = await oneOrTwo('2026-11-18', 'Karr');
  expect(options.length).toBeGreaterThan(0);
  expect(options.map(([, { strategy }]) => strategy)).not.toContain('fewest-calls');
  for (const [option, figures] of options) {
    expect([figures.calls, figures.not_in_yet], option).toEqual([0, undefined]);
    expect(figures.compared ?? '').not.toContain('call');
    const asked = { proposal: metadata.proposal, revision: metadata.revision, date: day.on.date, option };
    expect(await post<Pick<CallsReply, 'lines'>>('/api/proposals/calls', asked)).toMatchObject({ lines: [] });
  }
});

test('given a session that no one can take, then the choices say which client each therapist would have to leave, or what the therapist lacks', async () => {
  const day = dayOf('2030-12-04', 'Kerr');
  const [ana, kai] = [await day.therapist('Ana'), await day.therapist('Kai')];
  const max = await day.therapist('Max', { tags: ['Spanish'] });
  await day.session(ana, await day.client('Bo', { needs: ['Spanish'] }), '09:00', '10:00');
  await day.session(max, await day.client('Luca', { excludes: [kai, ana] }), '09:00', '10:00');
  const { data, metadata } = await without(day, 'Ana');
  const client = day.name('Bo');
  const [time_slot = ''] = Object.keys(data[day.on.date]?.[client]?.['Option 1'] ?? {});
  const cell = { date: day.on.date, client, option: 'Option 1', time_slot };
  const { proposal, revision } = metadata;
  const { choices } = await post<ChoicesReply>('/api/proposals/choices', { proposal, revision, ...cell });
  const own = choices.filter(({ therapist }) => therapist.endsWith('Kerr'));
  expect(new Map(own.map(({ therapist, possible, words }) => [therapist, [possible, words]]))).toEqual(
    new Map([
      ['Ana Kerr', [false, 'not: away']],
      ['Kai Kerr', [false, 'not: needs Spanish']],
      [
        'Max Kerr',
        [false, expect.stringMatching(/^not: would leave Luca Kerr without a therapist 9:00 AM to 10:00 AM/)],
      ],
    ]),
  );
});

test('given a therapist chosen to come early, then they are asked; if they agree, their day begins at 7:30, until the commit is undone', async () => {
  const day = dayOf('2030-12-05', 'Lowe');
  const [ana, lin] = [await day.therapist('Ana', { from: '07:00' }), await day.therapist('Lin')];
  const key = await day.session(ana, await day.client('Bo'), '07:30', '08:30');
  await without(day, 'Ana');
  const begins = async () =>
    (await slotsOf(t.staff, day.on.date)).availabilities
      .filter((each) => each.therapist_name === day.name('Lin'))
      .map((each) => each.start_time.slice(11, 16));
  const { choices } = await post<ChoicesReply>('/api/sessions/choices', { ...day.on, key });
  expect(choices.find(({ therapist }) => therapist === day.name('Lin'))?.ask).toBe('Ask to come early at 7:30');
  const choose = { key, therapist: lin, ask: true };
  const proposal = await solveDay(t.staff, { dates: [day.on.date], choose });
  const { commit } = await commitEveryone(t.staff, proposal);
  const { lineOf, told } = callsOf(day);
  const line = await lineOf(day.name('Lin'));
  expect([line.call, line.say.join(' ')]).toEqual([
    'ask',
    'Thursday, December 5, 2030: Can you come early at 7:30 for Bo Lowe from 7:30 to 8:30?',
  ]);
  expect(await begins()).toEqual(['08:00']);
  await told(day.name('Lin'));
  expect(await begins()).toEqual(['07:30']);
  expect((await undo(t.staff, commit)).statusCode).toBe(200);
  expect(await begins()).toEqual(['08:00']);
});
