import { afterAll, beforeEach, expect, test } from 'vitest';
import type { CallNo } from '@clinic/contract';
import { slotsOf } from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

let t: SmallApp;
beforeEach(async () => {
  t = await openSmallClinic(t?.app);
});
afterAll(() => t.app.close());

const { list, lineOf, post, covered } = new CallList(() => t.who);

/** Says no to what the line shows; `no` is undefined for a no to nothing in particular. */
async function sayNo(name: string, no?: CallNo, by = t.who): Promise<void> {
  const { kind, id, version } = await lineOf(name);
  const reply = await post('answer', { kind, id, version, answer: 'said-no', ...(no && { no }) }, by);
  expect(reply.statusCode, reply.body).toBe(200);
}
/** Moves an appointment to these people and times. */
async function move(key: string, client: string, start: string, end: string): Promise<void> {
  const payload = { ...ON, client, therapist: 'Kai Wood', subject: 'Direct Therapy', start, end };
  const reply = await t.who.call({ method: 'PUT', url: `/api/appointments/${key}`, payload });
  expect(reply.statusCode, reply.body).toBe(200);
}
const open = async () => {
  const { appointments } = await slotsOf(t.who, DATE);
  return appointments.filter((each) => each.needs_cover).map((each) => each['Client Name']);
};

test('given a no to one of two new sessions, when the therapist says no to both, then both need cover', async () => {
  await covered();
  await move(t.clinic.moAfternoon, 'Mo Diaz', '13:00', '16:00');
  await sayNo('Kai Wood', { scope: 'session', sessions: [t.clinic.boMorning] });
  expect(await open()).toEqual(['Bo Lee']);
  for (const _sent of [1, 2]) await sayNo('Kai Wood', { scope: 'session' });
  expect(await open()).toEqual(['Bo Lee', 'Mo Diaz']);
  expect((await lineOf('Kai Wood')).answers).toHaveLength(2);
  const by = await t.app.signIn({ name: 'Dana West' });
  await sayNo('Kai Wood', { scope: 'session', sessions: [t.clinic.moAfternoon] }, by);
  // It is stored beside the wider one, so that it still counts when that is taken back.
  expect((await list()).declined).toHaveLength(3);
});

test('given a no for today, when the therapist gets a further session and says so again, then it needs cover too', async () => {
  await covered();
  await sayNo('Kai Wood', { scope: 'today' });
  await move(t.clinic.moAfternoon, 'Mo Diaz', '13:00', '16:00');
  await sayNo('Kai Wood');
  expect(await open()).toEqual(['Bo Lee']);
  await sayNo('Kai Wood', { scope: 'today' });
  expect(await open()).toEqual(['Bo Lee', 'Mo Diaz']);
});

test('given a no until a time, when the therapist gets an earlier session and says so again, then they are away for it too', async () => {
  await covered();
  await sayNo('Kai Wood', { scope: 'until', until: '10:00' });
  await move(t.clinic.moAfternoon, 'Mo Diaz', '08:00', '08:30');
  await sayNo('Kai Wood');
  await sayNo('Kai Wood', { scope: 'until', until: '10:00' });
  const { absences } = await slotsOf(t.who, DATE);
  expect(absences.filter(({ name }) => name === 'Kai Wood')).toMatchObject([
    { startTime: '08:00', endTime: '08:30' },
    { startTime: '08:30', endTime: '10:00' },
  ]);
});

test('given a family that refuses a therapist, when they get a further session with them and refuse again, then it needs cover too', async () => {
  await covered();
  await sayNo('Bo Lee', { scope: 'but', therapist: t.clinic.kai });
  await move(t.clinic.moAfternoon, 'Bo Lee', '13:00', '16:00');
  await sayNo('Bo Lee');
  expect(await open()).toEqual(['Bo Lee']);
  await sayNo('Bo Lee', { scope: 'but', therapist: t.clinic.kai });
  expect(await open()).toEqual(['Bo Lee', 'Bo Lee']);
});
