import { expect, test } from 'vitest';
import type { CallsReply } from '@clinic/contract';
import { CallList } from '../../testing/call-list.ts';
import { commitEveryone, propose, undo } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { OneDay } from '../../testing/one-day.ts';
import { FRIDAY_MORNING } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

/** Tests a family’s line after the session form has recorded that the family was told of a cancellation. */

const t = useApp(() => buildCoverApp({ config: FRIDAY_MORNING }));

/** A day on which Bo has one session with Ana at 9:00 and one with Kai at 13:00, and everyone has been told of both. */
async function knownDay(date: string, last: string) {
  const day = new OneDay(t.db, date, last);
  const [ana, kai] = [await day.therapist('Ana'), await day.therapist('Kai')];
  const bo = await day.client('Bo');
  const morning = await day.session(ana, bo, '09:00', '10:00');
  const noon = await day.session(kai, bo, '13:00', '14:00');
  const calls = new CallList(() => t.staff, day.on);
  await calls.post('day-sheet', {});
  const send = async (method: 'POST' | 'PUT', path: string, payload: object): Promise<void> => {
    const reply = await t.staff.call({ method, url: `/api/appointments/${path}`, payload });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  return {
    ...calls,
    day,
    morning,
    noon,
    cancel: (key: string, familyTold: boolean) => send('POST', `${key}/cancel`, { family_told: familyTold }),
    /** Saves a session of Bo’s with another time, therapist or status. */
    save: (key: string, changed: { therapist: string; start: string; end: string; status?: string }) => {
      const body = { ...day.on, client: day.name('Bo'), subject: 'Direct Therapy', anyway: true, ...changed };
      return send('PUT', key, { ...body, therapist: day.name(changed.therapist) });
    },
    /** The words of the family’s line, without the date; null if there is no line. */
    family: async (): Promise<string | null> => {
      const line = familyIn(await calls.list());
      return line ? line.say.join(' ').replace(/^\w+, [^:]*: /, '') : null;
    },
  };
}

const familyIn = ({ lines }: CallsReply) => lines.find((line) => line.kind === 'client');

test('given a session cancelled with the form’s “Family told” button, then the family’s line closes, and the therapist’s line stays open', async () => {
  const { cancel, morning, list } = await knownDay('2030-12-02', 'Ames');
  await cancel(morning, true);
  const { lines, told } = await list();
  expect(lines.map((line) => line.name)).toEqual(['Ana Ames']);
  expect(told).toMatchObject([{ name: 'Bo Ames', answer: 'told', note: '9:00 to 10:00 cancelled' }]);
});

test('given a session that was cancelled without a call, then “Family told” in the form closes the family’s line', async () => {
  const { cancel, morning, family } = await knownDay('2030-12-03', 'Bell');
  await cancel(morning, false);
  expect(await family()).toBe('Bo’s session from 9:00 to 10:00 is cancelled.');
  await cancel(morning, true);
  expect(await family()).toBeNull();
});

test('given “Family told” pressed again in the form, then nothing more is recorded', async () => {
  const { cancel, morning, list, day } = await knownDay('2030-12-11', 'Hart');
  await cancel(morning, true);
  const recorded = () =>
    t.db
      .selectFrom('call_answer')
      .select('id')
      .where('date', '=', day.on.date)
      .where('cancelled', 'is not', null)
      .execute();
  const first = await recorded();
  await cancel(morning, true);
  expect(await recorded()).toEqual(first);
  expect((await list()).told).toMatchObject([{ note: '9:00 to 10:00 cancelled' }]);
});

test('given another change that the family was not told about, then their line stays open for that change only', async () => {
  const { cancel, save, morning, noon, list, family, told } = await knownDay('2030-12-04', 'Cole');
  await save(noon, { therapist: 'Ana', start: '13:00', end: '14:00' });
  await cancel(morning, true);
  expect(await family()).toBe('Bo is with Ana Cole from 1:00 to 2:00 instead of Kai Cole.');
  expect(familyIn(await list())).toMatchObject({
    again: null,
    answers: [{ answer: 'told', note: '9:00 to 10:00 cancelled' }],
  });
  await told('Bo Cole');
  expect(await family()).toBeNull();
});

test('given a session that was moved without a call and then cancelled, then the family is still called about the time that they know of', async () => {
  const { cancel, save, morning, family } = await knownDay('2030-12-05', 'Dunn');
  await save(morning, { therapist: 'Ana', start: '11:00', end: '12:00' });
  await cancel(morning, true);
  expect(await family()).toBe('Bo’s session from 9:00 to 10:00 is cancelled.');
});

test('given a cancellation taken back after the family was told, then their line opens again to correct it, and a second cancellation closes it', async () => {
  const { cancel, save, morning, noon, list, family } = await knownDay('2030-12-06', 'East');
  await cancel(morning, true);
  await save(noon, { therapist: 'Ana', start: '13:00', end: '14:00' });
  await save(morning, { therapist: 'Ana', start: '09:00', end: '10:00', status: 'Scheduled' });
  const line = familyIn(await list());
  expect(line?.say.join(' ')).toContain('from 9:00 to 10:00');
  expect(line?.again).toMatchObject({ was: 'no session', now: 'Ana East 9:00 to 10:00' });
  const row = t.db.selectFrom('appointment').select('family_told_at').where('id', '=', morning);
  expect(await row.executeTakeFirst()).toEqual({ family_told_at: null });
  await save(noon, { therapist: 'Kai', start: '13:00', end: '14:00' });
  await cancel(morning, true);
  expect(await family()).toBeNull();
});

test('given “Not told” pressed after “Family told” in the form, then the family’s line opens again', async () => {
  const { cancel, save, morning, noon, list, post, family } = await knownDay('2030-12-09', 'Fox');
  const notTold = async (): Promise<void> => {
    const { lines, told } = await list();
    const who = familyIn({ lines } as CallsReply) ?? told[0];
    const reply = await post('answer', { kind: 'client', id: who?.id, version: '', answer: 'not-told' });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  await cancel(morning, true);
  await notTold();
  expect(await family()).toBe('Bo’s session from 9:00 to 10:00 is cancelled.');
  await cancel(morning, true);
  await save(noon, { therapist: 'Ana', start: '13:00', end: '14:00' });
  await notTold();
  expect(await family()).toContain('is cancelled');
  expect(familyIn(await list())?.answers).toEqual([]);
});

test('given a commit that left a session open, when the session is cancelled and the family told, then the line stays closed and the commit cannot be undone', async () => {
  const { day, cancel, list, family } = await knownDay('2030-12-10', 'Gray');
  const { commit } = await commitEveryone(
    t.staff,
    await propose(t.staff, { therapist: day.name('Ana'), date: day.on.date }),
  );
  const open = familyIn(await list())?.sessions.find((session) => session.start === '09:00');
  expect(open).toBeDefined();
  await cancel(open?.key ?? '', true);
  expect(await family()).toBeNull();
  expect((await undo(t.staff, commit)).statusCode).toBe(409);
  expect(await family()).toBeNull();
});
