import { expect, test } from 'vitest';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { explainFirst, propose, takersOf } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

/** It is 7:05 AM on this day. */
const TODAY = '2026-11-20';
const NOT_IN = '2026-12-01';
const BOTH_IN = '2026-12-02';
const ONLY_LOU = '2026-12-03';
const t = useApp(fridayCoverApp, async ({ db }) => {
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  const kai = await buildTherapist(db, { first: 'Kai', last: 'Wood' });
  const lou = await buildTherapist(db, { first: 'Lou', last: 'Vance' });
  const bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
  const mo = await buildClient(db, { first: 'Mo', last: 'Diaz' });
  const ida = await buildClient(db, { first: 'Ida', last: 'Fox' });
  for (const date of [NOT_IN, BOTH_IN, ONLY_LOU]) {
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '10:00' });
    await buildAppointment(db, { therapist: kai, client: mo, date, start: '08:00', end: '09:00' });
    // Administrative time makes Kai more costly than Lou, but by less than a call costs.
    const busy = date === ONLY_LOU ? mo : null;
    await buildAppointment(db, { therapist: kai, client: busy, date, start: '09:00', end: '10:00' });
    const start = date === BOTH_IN ? '08:00' : '13:00';
    const end = date === BOTH_IN ? '09:00' : '14:00';
    await buildAppointment(db, { therapist: lou, client: ida, date, start, end });
  }
});

const planFor = (date: string) => propose(t.staff, { therapist: 'Ana Ruiz', date });

test.each([
  [NOT_IN, 'Kai Wood', 'Lou comes in later'],
  [BOTH_IN, 'Lou Vance', 'Lou is in too'],
])('the session on %s goes to %s, because %s', async (date, therapist) => {
  expect(takersOf(await planFor(date), date)).toEqual([therapist]);
});

test('if the only free therapist comes in later, the reasons say so', async () => {
  const why = await explainFirst(t.staff, await planFor(ONLY_LOU), ONLY_LOU, 'Bo Lee');
  expect(why.costs).toContain('Lou Vance has to be called for this, and is not in yet.');
});

test('if a therapist in the building is chosen, the reasons say what the next best choice would mean', async () => {
  const why = await explainFirst(t.staff, await planFor(NOT_IN), NOT_IN, 'Bo Lee');
  expect(why.costs).toContain('Kai Wood has to be called for this.');
  expect(why.next_best?.therapist).toBe('Lou Vance');
});

test('given a therapist whose session here is over and who now works at another location, then they are not in the building', async () => {
  const { db } = t;
  const away = await buildTherapist(db, { first: 'Pia', last: 'Away' });
  const gone = await buildTherapist(db, { first: 'Rex', last: 'Gone' });
  const client = (first: string) => buildClient(db, { first, last: 'Orla' });
  const one = await client('One');
  const others = await db.selectFrom('therapist').select('id').where('id', 'not in', [away, gone]).execute();
  const rows = others.map(({ id }) => ({ client_id: one, excludes_therapist_id: id, requires_gender: null }));
  await db.insertInto('client_restriction').values(rows).execute();
  await buildAppointment(db, { date: TODAY, therapist: away, client: one, start: '11:00', end: '12:00' });
  await buildAppointment(db, {
    date: TODAY,
    therapist: gone,
    client: await client('Two'),
    start: '06:00',
    end: '07:00',
  });
  const elsewhere = { date: TODAY, therapist: gone, client: await client('Three'), start: '07:00', end: '09:00' };
  const session = await buildAppointment(db, { ...elsewhere, location: 'tampa' });
  const costs = async () => {
    const proposal = await propose(t.staff, { therapist: 'Pia Away', date: TODAY });
    return (await explainFirst(t.staff, proposal, TODAY, 'One Orla')).costs;
  };
  expect(await costs()).toContain('Rex Gone has to be called for this, and is not in yet.');
  // Someone without a session elsewhere may still be here.
  await db.deleteFrom('appointment').where('id', '=', session).execute();
  expect(await costs()).toContain('Rex Gone has to be called for this.');
});
