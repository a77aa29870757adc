import { expect, test } from 'vitest';
import type { LinePlanB } from '@clinic/contract';
import { bumpDays } from '../../day/facts/versions.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { commitEveryone, propose } from '../../testing/calls.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

/** Whoever may be needed for what someone is asked for stands by until the ask is answered, and is not released. */

let small: SmallApp;
openForEachTest((opened) => (small = opened));
const { lineOf, answered, told, covered, post } = new CallList(() => small.who);

const MORNING = { date: DATE, start: '08:30', end: '11:30' } as const;
const book = (therapist: string, client: string, more: object = {}) =>
  buildAppointment(small.db, { therapist, client, ...MORNING, ...more });
const change = (session: string, set: { status?: 'cancelled'; therapist_id?: null }) =>
  small.db.updateTable('appointment').set(set).where('id', '=', session).execute();
const plans = async (): Promise<string[]> => {
  const reply = await small.who.call({ url: '/api/calls/plan-b', query: ON });
  return reply.json<{ plans: LinePlanB[] }>().plans.map(({ words }) => words);
};
const words = async (name: string): Promise<string> =>
  (await lineOf(name)).say.join(' ').replace('Friday, November 22, 2030: ', '');

/** Kai is asked to cover Bo, and Lin, who knows Bo, has lost her own session of that time. */
async function linIsFree(): Promise<void> {
  const ida = await book(small.clinic.lin, small.clinic.ida);
  await covered();
  await change(ida, { status: 'cancelled' });
}

test('given a plan B who has lost their own session, then they stay near the phone until the ask is answered', async () => {
  await linIsFree();
  expect(await plans()).toEqual(['else Lin Park, knows Bo']);
  const gone = 'Ida Fox from 8:30 to 11:30 is cancelled.';
  expect(await words('Lin Park')).toBe(`${gone} Please stay near the phone until 8:30; we may need you.`);
  await told('Kai Wood');
  expect(await words('Lin Park')).toBe(`${gone} You are released until 1:00.`);
});

test('given someone who was told to stand by, or released, and is asked later, then the line says what they were told', async () => {
  await linIsFree();
  await told('Lin Park');
  await answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  await commitEveryone(small.who, await propose(small.who, { therapist: 'Ana Ruiz' }));
  expect((await lineOf('Lin Park')).again).toMatchObject({
    was: 'stand by until 8:30',
    now: 'asked for Bo Lee 8:30 to 11:30',
  });
});

test('given someone who was released and is asked later, then they were free, not “nothing”', async () => {
  const ida = await book(small.clinic.kai, small.clinic.ida);
  await post('day-sheet', {});
  await change(ida, { status: 'cancelled' });
  expect(await words('Kai Wood')).toContain('You are released from 8:30 on.');
  await told('Kai Wood');
  await covered();
  expect((await lineOf('Kai Wood')).again).toMatchObject({
    was: 'free that day',
    now: 'asked for Bo Lee 8:30 to 11:30',
  });
});

test('given a supervision without a therapist, then a BCBA stands by for it, and someone else does not', async () => {
  const { lin, max, ida, mo } = small.clinic;
  const zoe = await buildClient(small.db, { first: 'Zoe', last: 'Hall' });
  const eva = await buildTherapist(small.db, { first: 'Eva', last: 'Hall', specialization: 'BCBA' });
  const supervision = await book(eva, ida, { service: 'supervision', start: '10:00', end: '11:00' });
  await buildAppointment(small.db, {
    ...MORNING,
    therapist: max,
    client: ida,
    date: '2030-11-15',
    status: 'fulfilled',
  });
  const own = [await book(max, mo), await book(lin, zoe)];
  await post('day-sheet', {});
  await change(supervision, { therapist_id: null });
  for (const session of own) await change(session, { status: 'cancelled' });
  expect(await words('Max Dean')).toContain('Please stand by from 8:30 to 11:30.');
  expect(await words('Lin Park')).toContain('You are released until 1:00.');
});

test('given two asks at one time, then nobody is plan B of both without both lines saying so', async () => {
  const { ida } = small.clinic;
  const [eva, sam] = [
    await buildTherapist(small.db, { first: 'Eva', last: 'Hall', windows: [[5, '08:00', '17:00']] }),
    await buildTherapist(small.db, { first: 'Sam', last: 'Roe', windows: [[5, '08:00', '17:00']] }),
  ];
  await book(eva, ida);
  for (const date of ['2030-11-01', '2030-11-08', '2030-11-15', '2030-10-25'])
    await buildAppointment(small.db, { ...MORNING, therapist: sam, client: ida, date, status: 'fulfilled' });
  // Whoever comes instead of Sam is Lin, since Ida knows her.
  const met = { ...MORNING, therapist: small.clinic.lin, client: ida, date: '2030-11-18' };
  await buildAppointment(small.db, { ...met, status: 'fulfilled' });
  const away = { therapist: 'Max Dean' };
  await commitEveryone(small.who, await propose(small.who, { therapist: 'Ana Ruiz' }, { therapist: 'Eva Hall' }, away));
  expect(await plans()).toEqual([
    'else Lin Park, knows Bo (Lin Park also for Sam Roe)',
    'else Lin Park, knows Ida (Lin Park also for Kai Wood)',
  ]);
  await buildTherapist(small.db, { first: 'Joy', last: 'Bell', windows: [[5, '08:00', '17:00']] });
  await bumpDays(small.db, [ON]);
  expect(await plans()).toEqual(['else Lin Park, knows Bo', 'else Joy Bell, new to Ida']);
});
