import { describe, expect, test } from 'vitest';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { DAY, useDesk, type Refused } from '../testing/desk.ts';

const desk = useDesk();

describe('double bookings', () => {
  test('given a therapist who is already booked, the reply is 409 with the therapist and the time, and nothing is written', async () => {
    const other = await buildClient(desk.db, { first: 'Mo', last: `Diaz${desk.person}` });
    await buildAppointment(desk.db, { therapist: desk.ana, client: other, date: DAY, start: '09:00', end: '10:00' });
    const reply = await desk.post(desk.session());
    expect(reply.statusCode).toBe(409);
    const { detail } = reply.json<Refused>();
    const why = `${desk.names.therapist} is booked on Mon, Nov 23, 9:00 AM - 10:00 AM with Mo Diaz${desk.person}.`;
    expect(detail.message).toBe(`${why} Nothing was saved. Choose another time or therapist.`);
    expect(detail.conflicts).toEqual([
      {
        date: DAY,
        time: '9:00 AM - 10:00 AM',
        therapist: desk.names.therapist,
        client: `Mo Diaz${desk.person}`,
        location: 'altamonte',
        why,
      },
    ]);
    expect(await desk.db.selectFrom('appointment').select('id').where('client_id', '=', desk.bo).execute()).toEqual([]);
    // The two sessions touch but do not overlap.
    expect(await desk.booked({ start: '10:00', end: '11:00' })).toMatchObject({ needs_cover: false });
  });

  test('given a client’s direct session, a second one at the same time is refused with 409, but supervision is allowed', async () => {
    const kai = await buildTherapist(desk.db, { first: 'Kai', last: `Wood${desk.person}` });
    await buildAppointment(desk.db, { therapist: kai, client: desk.bo, date: DAY, start: '09:00', end: '10:00' });
    const reply = await desk.post(desk.session());
    expect(reply.statusCode).toBe(409);
    expect(reply.json<Refused>().detail.conflicts.map((conflict) => conflict.why)).toEqual([
      `${desk.names.client} has Direct Therapy on Mon, Nov 23, 9:00 AM - 10:00 AM with Kai Wood${desk.person}.`,
    ]);
    await desk.booked({ subject: 'Supervision', anyway: true });
  });

  test('given a client’s session without a therapist, the refusal of a second such session names the client', async () => {
    await desk.booked({ therapist: null });
    const reply = await desk.post(desk.session({ therapist: null }));
    expect(reply.json<Refused>().detail.conflicts[0]?.why).toMatch(
      new RegExp(`^${desk.names.client} has Direct Therapy on Mon, Nov 23, .* with no therapist yet\\.$`),
    );
  });

  test.each([
    ['administrative time', { client: 'Admin', subject: 'Notes' }, /^Ana \S+ is booked on Mon, Nov 23, 8:30/],
    ['supervision without a therapist', { therapist: null, subject: 'Supervision' }, /^Bo \S+ has Supervision on Mon/],
  ])('given %s whose request gets no reply, sending the request again books nothing twice', async (_, more, why) => {
    const sent = await Promise.all([1, 2, 3].map(() => desk.post(desk.session(more))));
    expect(sent.map((reply) => reply.statusCode).sort()).toEqual([201, 409, 409]);
    const refused = sent.find((reply) => reply.statusCode === 409);
    expect(refused?.json<Refused>().detail.conflicts.map((conflict) => conflict.why)).toEqual([
      expect.stringMatching(why),
    ]);
    // Another time or subject is another session.
    await desk.booked({ ...more, subject: 'Assessment', start: '10:00', end: '11:00' });
  });

  test.each([
    ['a cancelled session', { status: 'Cancelled', therapist: null }],
    ['a series of no-shows', { status: 'No Show', weekly_until: '2026-11-30' }],
  ])('given %s, recording it again is refused, but recording another time is not', async (_, more) => {
    const sent = await Promise.all([1, 2, 3].map(() => desk.post(desk.session(more))));
    expect(sent.map((reply) => reply.statusCode).sort()).toEqual([201, 409, 409]);
    const refused = sent.find((reply) => reply.statusCode === 409);
    expect(refused?.json<Refused>().detail.message).toBe(
      `The same session is already on the calendar, as ${more.status}. Nothing was saved.`,
    );
    await desk.booked({ ...more, start: '12:00', end: '13:00' });
    // The slot is free, so the session itself can be booked.
    await desk.booked();
  });

  test('given a client who needs two therapists, two cancelled sessions at the same time are both recorded', async () => {
    await desk.db.updateTable('client').set({ two_to_one: true }).where('id', '=', desk.bo).execute();
    await desk.booked({ therapist: null, status: 'Cancelled' });
    await desk.booked({ therapist: null, status: 'Cancelled' });
  });

  test('given a client who needs two therapists, two sessions without a therapist can be booked at the same time, but not three', async () => {
    await desk.db.updateTable('client').set({ two_to_one: true }).where('id', '=', desk.bo).execute();
    await desk.booked({ therapist: null });
    await desk.booked({ therapist: null });
    expect((await desk.post(desk.session({ therapist: null }))).statusCode).toBe(409);
  });

  test('given a conflicting session at a location that the caller may not see, its client is not named', async () => {
    const secret = await buildClient(desk.db, { first: 'Secret', last: `Child${desk.person}`, location: 'tampa' });
    await buildAppointment(desk.db, {
      therapist: desk.ana,
      client: secret,
      date: DAY,
      start: '09:00',
      end: '10:00',
      location: 'tampa',
    });
    const reply = await desk.post(desk.session(), await desk.signIn({ locations: ['altamonte'] }));
    expect(reply.statusCode).toBe(409);
    expect(reply.body).not.toContain('Secret');
    expect(reply.json<Refused>().detail.conflicts[0]).toMatchObject({
      time: '9:00 AM - 10:00 AM',
      therapist: desk.names.therapist,
      location: 'tampa',
    });
  });

  test('given a 2:1 client, two therapists at once are allowed, but not three', async () => {
    const two = await buildClient(desk.db, { first: 'Two', last: `One${desk.person}`, twoToOne: true });
    for (const last of ['x', 'y']) await buildTherapist(desk.db, { first: 'Kim', last: `${last}${desk.person}` });
    const client = `Two One${desk.person}`;
    const first = await desk.booked({ client });
    const second = await desk.booked({ client, therapist: `Kim x${desk.person}`, start: '09:00' });
    expect([(await desk.rowOf(first.key)).seat, (await desk.rowOf(second.key)).seat]).toEqual([1, 2]);
    expect((await desk.post(desk.session({ client, therapist: `Kim y${desk.person}` }))).statusCode).toBe(409);
    expect((await desk.db.selectFrom('appointment').select('id').where('client_id', '=', two).execute()).length).toBe(
      2,
    );
  });

  test('given a group, several clients share one therapist and one place at the same time', async () => {
    await buildClient(desk.db, { first: 'Mo', last: `Diaz${desk.person}` });
    const first = await desk.booked({ subject: 'Social Group' });
    const second = await desk.booked({ subject: 'social group', client: `Mo Diaz${desk.person}` });
    expect(first.group).toEqual(expect.any(String));
    expect(second.group).toBe(first.group);
    const apart = await desk.post(
      desk.session({ subject: 'Social Group', client: `Mo Diaz${desk.person}`, start: '11:00', end: '12:00' }),
    );
    expect(apart.statusCode).toBe(409);
  });

  test('a session may be booked over administrative time', async () => {
    await desk.booked({ client: 'Admin', subject: 'Notes' });
    await desk.booked();
  });

  test('given many bookings of a therapist for the same time at once, one succeeds, and the refusals name its client', async () => {
    const clients = Array.from({ length: 16 }, (_, i) => `Race Client${desk.person}x${i}`);
    for (const name of clients) await buildClient(desk.db, { first: 'Race', last: name.slice(5) });
    const replies = await Promise.all(
      clients.map((client, i) => desk.post(desk.session({ client, start: `09:${10 + i}` }))),
    );
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([201, ...Array<number>(15).fill(409)]);
    for (const reply of replies.filter((each) => each.statusCode === 409)) {
      expect(reply.json<Refused>().detail.conflicts[0]?.why).toContain('Race Client');
    }
  });
});
