import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp, FRIDAY_MORNING } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const DATE = '2990-06-04'; // the date is in the future, whatever the machine's clock says
const t = useApp(() => buildTestApp({ config: { ...FRIDAY_MORNING, logLevel: 'error' } }));

const book = (client: string, therapist: string, location = 'altamonte') =>
  t.staff.call({
    method: 'POST',
    url: '/api/appointments',
    payload: { location, client, therapist, subject: 'Direct Therapy', date: DATE, start: '09:00', end: '10:00' },
  });

test('when a client’s 2:1 setting is removed while a second therapist is being booked, one of the two requests is refused', async () => {
  const refused = { save: 0, booking: 0 };
  for (let i = 0; i < 12; i++) {
    const [first, second] = [`One${i}`, `Two${i}`];
    for (const last of [first, second]) await buildTherapist(t.db, { first: 'Ann', last });
    const id = await buildClient(t.db, { first: 'Pair', last: `C${i}`, twoToOne: true });
    expect((await book(`Pair C${i}`, `Ann ${first}`)).statusCode).toBe(201);
    const body = { first_name: 'Pair', last_name: `C${i}`, location: 'altamonte', gender: 'Male', two_to_one: false };
    const save = () => t.staff.call({ method: 'PUT', url: `/api/clients/${id}`, payload: body });
    const seat = () => book(`Pair C${i}`, `Ann ${second}`);
    const [one, other] = await Promise.all(i % 2 === 0 ? [save(), seat()] : [seat(), save()]);
    const [saved, booked] = i % 2 === 0 ? [one, other] : [other, one];
    expect([200, 422], saved.body).toContain(saved.statusCode);
    expect([201, 409], booked.body).toContain(booked.statusCode);
    expect(saved.statusCode === 200 && booked.statusCode === 201, `round ${i}`).toBe(false);
    refused.save += saved.statusCode === 422 ? 1 : 0;
    refused.booking += booked.statusCode === 409 ? 1 : 0;
  }
  expect(refused.save + refused.booking).toBeGreaterThanOrEqual(12);
  const { rows } = await sql`select a.id from appointment a join client c on c.id = a.client_id
    where a.seat = 2 and a.occupies and not c.two_to_one`.execute(t.db);
  expect(rows).toEqual([]);
});

test('when a therapist’s administrative time is booked at two locations at once, one booking is refused, and the refusal names the other booking', async () => {
  await buildTherapist(t.db, { first: 'Kai', last: 'Wood' });
  const replies = await Promise.all([book('Admin', 'Kai Wood'), book('Admin', 'Kai Wood', 'tampa')]);
  expect(replies.map((reply) => reply.statusCode).sort()).toEqual([201, 409]);
  const again = await book('Admin', 'Kai Wood', replies[0]?.statusCode === 201 ? 'tampa' : 'altamonte');
  expect(again.statusCode).toBe(409);
  expect(again.json<{ detail: { message: string } }>().detail.message).toMatch(
    /^Kai Wood is booked on .*9:00 AM - 10:00 AM/,
  );
});
