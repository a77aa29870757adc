import { expect, test } from 'vitest';
import type { CallsReply, ProposalReply } from '@clinic/contract';
import { isoDate, type IsoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { commitEveryone, saveAbsences, solveDay } from '../../testing/calls.ts';
import { CallList } from '../../testing/call-list.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp);
const HELPERS = ['Kai', 'Lin', 'Max', 'Ned'];

/** A day on which Ana has sessions from 9:00 to 11:00, and four others are free. */
async function dayOf(date: IsoDate, last: string, children: readonly string[], two = false) {
  const windows: [number, string, string][] = [[date === MONDAY ? 1 : 2, '08:00', '17:00']];
  const ana = await buildTherapist(t.db, { first: 'Ana', last, windows });
  const helpers = new Map<string, string>();
  for (const first of HELPERS) helpers.set(first, await buildTherapist(t.db, { first, last, windows }));
  for (const first of children) {
    const client = await buildClient(t.db, { first, last, twoToOne: two });
    const booked = { client, date, start: '09:00', end: '11:00' };
    await buildAppointment(t.db, { ...booked, therapist: ana, ...(two ? {} : { group: last }) });
    if (two) await buildAppointment(t.db, { ...booked, therapist: helpers.get('Kai') ?? null, seat: 2 });
  }
  const calls = new CallList(() => t.staff, { location: 'altamonte', date });
  await calls.post('day-sheet', {});
  return { ...calls, solve: () => solveDay(t.staff, { dates: [date] }) };
}
const MONDAY = isoDate('2026-11-23');
const TUESDAY = isoDate('2026-11-24');

/** Every therapist in any option for these children. */
const offered = ({ data }: ProposalReply, date: IsoDate): string[] =>
  Object.values(data[date] ?? {}).flatMap((options) =>
    Object.values(options).flatMap((slots) => Object.values(slots).map((cell) => cell.therapist)),
  );
const therapistIn = ({ lines }: CallsReply) => {
  const line = lines.find(({ kind }) => kind === 'therapist');
  if (!line) throw new Error('no therapist to tell');
  return line;
};
const sayOf = ({ lines }: CallsReply, name: string) => lines.find((line) => line.name === name)?.say;

test('given a group, if one family refuses the therapist or the therapist refuses one child, the whole group needs another therapist', async () => {
  const day = await dayOf(MONDAY, 'Vale', ['Mo', 'Bo', 'Ida']);
  await saveAbsences(t.staff, [{ therapist: 'Ana Vale', date: MONDAY }]);
  await commitEveryone(t.staff, await day.solve());
  const first = therapistIn(await day.list());
  await day.told('Bo Vale');

  const no = { scope: 'but', therapist: first.id };
  const refused = await day.answered('Mo Vale', 'said-no', { no });
  expect(refused.declined.map(({ words }) => words)).toEqual([
    expect.stringMatching(/^Mo Vale 9:00 to 11:00, was refused by the family at 7:20$/),
  ]);
  // Bo's family knows of the therapist, and is not called before there is another one.
  expect(refused.lines.map(({ name, waits_for }) => [name, waits_for])).toEqual([
    [first.name, []],
    ['Ida Vale', [`${first.name} was refused by another family at 7:20`]],
    ['Mo Vale', [`${first.name} was refused by the family at 7:20`]],
  ]);
  const second = await day.solve();
  expect(offered(second, MONDAY)).not.toContain(first.name);
  await commitEveryone(t.staff, second);

  const next = therapistIn(await day.list());
  expect(next.say).toEqual([
    'Monday, November 23, 2026: Can you come in for Bo Vale, Ida Vale and Mo Vale from 9:00 to 11:00?',
  ]);
  const sessions = next.sessions.slice(0, 1).map(({ key }) => key);
  const { declined } = await day.answered(next.name, 'said-no', { no: { scope: 'session', sessions } });
  expect(declined[0]?.words).toBe('Bo Vale, Ida Vale and Mo Vale 9:00 to 11:00, said no at 7:20');
  const third = await day.solve();
  expect(offered(third, MONDAY)).not.toContain(next.name);
  await commitEveryone(t.staff, third);

  // Each family is told once who comes, and how that differs from what it knew.
  const { lines } = await day.list();
  const last = lines.find(({ kind }) => kind === 'therapist')?.name.split(' ')[0] ?? '';
  expect(lines.filter(({ kind }) => kind === 'client').map(({ say }) => say)).toEqual([
    [`Monday, November 23, 2026: Bo is with ${last} from 9:00 to 11:00 instead of ${first.name.split(' ')[0]}.`],
    [`Monday, November 23, 2026: Ida is with ${last} from 9:00 to 11:00 instead of Ana.`],
    [`Monday, November 23, 2026: Mo is with ${last} from 9:00 to 11:00 instead of Ana.`],
  ]);
});

test('given a child with two therapists, then a therapist who declined one of the two places is not asked to take the other, and the family is told of both changes at once', async () => {
  const day = await dayOf(TUESDAY, 'Wren', ['Bo'], true);
  await saveAbsences(t.staff, [{ therapist: 'Kai Wren', date: TUESDAY }]);
  await commitEveryone(t.staff, await day.solve());
  const first = therapistIn(await day.list());
  await day.answered(first.name, 'said-no', { no: { scope: 'session' } });
  await commitEveryone(t.staff, await day.solve());
  await saveAbsences(t.staff, [{ therapist: 'Ana Wren', date: TUESDAY }]);
  const both = await day.solve();
  expect(offered(both, TUESDAY)).not.toContain(first.name);
  await commitEveryone(t.staff, both);
  const list = await day.list();
  const come = list.lines.filter(({ kind }) => kind === 'therapist').map(({ name }) => name);
  expect(come).toHaveLength(2);
  expect(sayOf(list, 'Bo Wren')?.[0]).toMatch(
    /^Tuesday, .*: Bo is with .+ and .+ from 9:00 to 11:00 instead of Ana Wren and Kai Wren\.$/,
  );
});
