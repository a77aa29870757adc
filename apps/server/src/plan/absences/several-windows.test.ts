import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import type { SlotsReply, StoredAbsence } from '@clinic/contract';
import { formatTime } from '@clinic/domain';
import { buildAbsence } from '../../testing/builders.ts';
import { commitEveryone, detailOf, propose, saveAbsences, type Query } from '../../testing/calls.ts';
import { ON } from '../../testing/call-list.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { repeats } from '../../reliability/testing/doses.ts';

let t: SmallApp;
openForEachTest((small) => (t = small));

const absences = async (name = 'Ana Ruiz'): Promise<StoredAbsence[]> =>
  (await t.who.call({ url: '/api/slots', query: ON })).json<SlotsReply>().absences.filter((each) => each.name === name);
/** The recorded windows, each with its cause: `08:00-09:30 sick`. */
const recorded = async (): Promise<string[]> =>
  (await absences()).map(({ startTime, endTime, loss }) => `${startTime}-${endTime} ${loss?.cause ?? '-'}`);
const save = async (...windows: Partial<Query>[]) => {
  const reply = await saveAbsences(
    t.who,
    windows.map((window) => ({ therapist: 'Ana Ruiz', date: DATE, ...window })),
    'altamonte',
    { take_back: true },
  );
  expect(reply.statusCode, reply.body).toBe(200);
};
const post = (path: string, payload: object) => t.who.call({ method: 'POST', url: `/api${path}`, payload });
const ANA = { ...ON, type: 'therapist', name: 'Ana Ruiz' } as const;
/** The panel's queries for windows that no one changed. */
const unchanged = (list: readonly StoredAbsence[]): Partial<Query>[] =>
  list.map(({ id, startTime: begin, endTime: end }) => ({ id, begin, end }));

const MORNING = { begin: '08:00', end: '09:30', loss: { cause: 'sick' } };
const AFTERNOON = { begin: '14:00', end: '16:00', loss: { cause: 'leave' } };

test('given two windows of one person, each is stored with its own cause, and saving one of them longer leaves the other', async () => {
  await save(MORNING, AFTERNOON);
  expect(await recorded()).toEqual(['08:00-09:30 sick', '14:00-16:00 leave']);
  const [morning, afternoon] = await absences();
  await save({ id: morning?.id, begin: '08:00', end: '10:00' }, { id: afternoon?.id, begin: '14:00', end: '16:00' });
  expect(await recorded()).toEqual(['08:00-10:00 sick', '14:00-16:00 leave']);
  expect((await absences())[1]?.id).toBe(afternoon?.id);
  // Moved to another time altogether, it is still the window that it names.
  await save({ id: afternoon?.id, begin: '11:00', end: '12:00' }, { begin: '08:00', end: '10:00' });
  expect(await recorded()).toEqual(['08:00-10:00 sick', '11:00-12:00 leave']);
  // A new window has no cause, also beside another one, and when a third is taken out.
  await save({ begin: '08:00', end: '10:00' }, { begin: '10:00', end: '10:30' });
  expect(await recorded()).toEqual(['08:00-10:00 sick', '10:00-10:30 -']);
});

test('given windows of one request that overlap, the earlier one has the time, and nothing is joined', async () => {
  await save(MORNING, { begin: '09:00', end: '11:00', loss: { cause: 'leave' } }, { begin: '11:00', end: '12:00' });
  expect(await recorded()).toEqual(['08:00-09:30 sick', '09:30-11:00 leave', '11:00-12:00 -']);
});

test('given queries without `replaces`, then they only add: what is recorded keeps its times and its cause', async () => {
  await save(MORNING, { begin: '14:00', end: '15:00' });
  const [morning] = await absences();
  const wider = { begin: '08:00', end: '12:00', replaces: false, loss: { cause: 'leave' } };
  await save(wider, { ...AFTERNOON, replaces: false });
  expect(await recorded()).toEqual(['08:00-09:30 sick', '09:30-12:00 leave', '14:00-15:00 leave', '15:00-16:00 leave']);
  expect((await absences())[0]?.id).toBe(morning?.id);
  const before = await recorded();
  await save({ ...wider, loss: { cause: null } });
  expect(await recorded()).toEqual(before);
});

test('given any recorded windows of any minutes and causes, saving them untouched changes no row, version, audit entry', async () => {
  const state = async () => {
    const rows = await t.db.selectFrom('absence').selectAll().orderBy('id').execute();
    const days = await t.db.selectFrom('location_day').selectAll().orderBy('location').execute();
    const { rows: audited } =
      await sql`select action from audit where action in ('absence.saved', 'cause.said')`.execute(t.db);
    return { rows, days, audited };
  };
  const cause = fc.constantFrom(null, 'sick', 'weather');
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 2, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(
      cuts,
      fc.array(fc.tuple(fc.boolean(), cause), { minLength: 7, maxLength: 7 }),
      async (list, kinds) => {
        await t.db
          .updateTable('absence')
          .set({ withdrawn_at: new Date().toISOString() })
          .where('withdrawn_at', 'is', null)
          .execute();
        const at = list.toSorted((a, b) => a - b);
        for (const [i, end] of at.slice(1).entries()) {
          const [isAway, because] = kinds[i] ?? [true, null];
          if (!isAway && i > 0) continue;
          const window = { start: formatTime(at[i] ?? 0), end: formatTime(end) };
          const id = await buildAbsence(t.db, { therapist: t.clinic.ana, date: DATE, ...window });
          const said = { cause_id: because, known_at: `${DATE} 06:0${i}:00` };
          await t.db.updateTable('absence').set(said).where('id', '=', id).execute();
        }
        const before = await state();
        await save(...unchanged(await absences()));
        expect(await state()).toEqual(before);
      },
    ),
    { numRuns: repeats(25) },
  );
});

test('given two windows with submitted cover, removing one of them brings only its time back, and its undo restores it', async () => {
  await commitEveryone(
    t.who,
    await propose(t.who, { therapist: 'Ana Ruiz', ...MORNING }, { therapist: 'Ana Ruiz', ...AFTERNOON }),
  );
  const [morning, afternoon] = await absences();
  const asked = await post('/absences/withdraw', { ...ANA, id: morning?.id });
  expect(asked.statusCode).toBe(409);
  const reply = await post('/absences/withdraw', { ...ANA, id: morning?.id, take_back: true });
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await recorded()).toEqual(['14:00-16:00 leave']);
  expect((await absences())[0]?.id).toBe(afternoon?.id);
  const { withdrawn_at } = reply.json<{ withdrawn_at: string }>();
  const restored = await post('/absences/restore', { ...ANA, withdrawn_at });
  expect(restored.statusCode, restored.body).toBe(200);
  expect(await absences()).toEqual([morning, afternoon]);
  // Sent again after its reply was lost, the removal of the last window finds nothing more to do.
  for (const id of [morning?.id, afternoon?.id, afternoon?.id])
    expect((await post('/absences/withdraw', { ...ANA, id, take_back: true })).statusCode).toBe(200);
  expect(await recorded()).toEqual([]);
  const other = await t.app.signIn();
  const late = await other.call({
    method: 'POST',
    url: '/api/absences/withdraw',
    payload: { ...ANA, id: morning?.id },
  });
  expect(late.statusCode).toBe(422);
  expect(detailOf(late)).toContain('Ana Ruiz is not recorded as away');
});
