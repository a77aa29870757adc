import { expect, test } from 'vitest';
import type { HoursReply, LedgerSession, ProposalReply } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { explainFirst, saveAbsences } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const DATE = isoDate('2026-12-09'); // a Wednesday
const t = useApp(fridayCoverApp);

async function scene(location: 'altamonte' | 'tampa' | 'orlando', hours: [object, object]) {
  const { db } = t.deps;
  const ana = await buildTherapist(db, { first: 'Ana', last: `Of ${location}`, location });
  const kai = await buildTherapist(db, { first: 'Kai', last: `Of ${location}`, location, hours: hours[0] });
  const lou = await buildTherapist(db, { first: 'Lou', last: `Of ${location}`, location, hours: hours[1] });
  const bo = await buildClient(db, { first: 'Bo', last: `Of ${location}`, location });
  await buildAppointment(db, { therapist: ana, client: bo, date: DATE, start: '09:00', end: '11:00', location });
  const plan = async () => {
    const reply = await saveAbsences(t.staff, [{ therapist: `Ana Of ${location}`, date: DATE }], location);
    expect(reply.statusCode, reply.body).toBe(200);
    const options = reply.json<ProposalReply>();
    const cells = options.data[DATE]?.[`Bo Of ${location}`]?.['Option 1'] ?? {};
    return { options, taken: Object.values(cells).map((cell) => cell.therapist) };
  };
  return { ana, kai, lou, bo, plan };
}

test('given therapists with no hours left in the week or the day, they take no session, and the reasons say so', async () => {
  const { db } = t.deps;
  const { kai, lou, plan } = await scene('altamonte', [{ week: 3 }, { day: 2 }]);
  const own = await buildClient(db);
  await buildAppointment(db, { therapist: kai, client: own, date: addDays(DATE, 2), start: '09:00', end: '11:00' });
  await buildAppointment(db, { therapist: lou, client: own, date: DATE, start: '13:00', end: '14:00' });
  const { options, taken } = await plan();
  // Each therapist has an hour left, so together they can take the session in two halves.
  expect(new Set(taken)).toEqual(new Set(['Kai Of altamonte', 'Lou Of altamonte']));
  await buildAppointment(db, { therapist: kai, client: own, date: addDays(DATE, 1), start: '09:00', end: '10:00' });
  await buildAppointment(db, { therapist: lou, client: own, date: DATE, start: '14:00', end: '15:00' });
  const none = await plan();
  expect(none.taken).toEqual(['Unassigned']);
  const why = await explainFirst(t.staff, none.options, DATE, 'Bo Of altamonte');
  expect(why.excluded.map(({ reason }) => reason)).toEqual(['1 is away', '2 may not take on more that day']);
  expect((await explainFirst(t.staff, options, DATE, 'Bo Of altamonte')).hours).toMatch(/^Booked \d h of 3 h|40 h/);
});

test('given a therapist who covered a lot in the last 28 days, a therapist who covered less is preferred', async () => {
  const { db } = t.deps;
  const { ana, kai, plan } = await scene('tampa', [{}, {}]);
  const own = await buildClient(db, { location: 'tampa' });
  const before = await plan();
  const [first] = before.taken;
  const busy = first?.startsWith('Kai') ? kai : await therapistNamed('Lou Of tampa');
  for (const back of [7, 14, 21])
    await buildAppointment(db, {
      therapist: busy,
      client: own,
      date: addDays(DATE, -back),
      start: '09:00',
      end: '12:00',
      location: 'tampa',
      bookedTherapist: ana,
    });
  const { options, taken } = await plan();
  expect(taken).toHaveLength(1);
  expect(taken[0]).not.toBe(first);
  const { hours } = await explainFirst(t.staff, options, DATE, 'Bo Of tampa');
  expect(hours).toBe('Booked 0 min of 40 h that week; no cover in 28 days.');
  const ledger = (await t.staff.call({ url: `/api/ledgers/hours?location=tampa&date=${DATE}` })).json<HoursReply>();
  const row = ledger.rows.find(({ id }) => id === busy);
  expect(row).toMatchObject({ cover_7: 0, cover_28: 540, booked: 0, most: 2400, left: 2400 });
  const sessions = (await t.staff.call({ url: `/api/ledgers/hours/${busy}?date=${DATE}` })).json<LedgerSession[]>();
  expect(sessions.map(({ date, cover }) => [date, cover])).toEqual(
    [21, 14, 7].map((back) => [addDays(DATE, -back), true]),
  );
});

const therapistNamed = async (name: string): Promise<string> =>
  (await t.db.selectFrom('therapist').select('id').where('display_name', '=', name).executeTakeFirstOrThrow()).id;

test('given a therapist below their guaranteed hours, they are preferred however much they have covered', async () => {
  const { db } = t.deps;
  const { ana, kai, lou, plan } = await scene('orlando', [{}, { guaranteed: 20 }]);
  // The median of covered hours is lower with two more therapists, who are off that day and have covered nothing.
  for (let n = 0; n < 2; n++) await buildTherapist(db, { location: 'orlando', windows: [] });
  const own = await buildClient(db, { location: 'orlando' });
  for (const therapist of [kai, lou])
    for (const back of [7, 14])
      await buildAppointment(db, {
        therapist,
        client: own,
        date: addDays(DATE, -back),
        location: 'orlando',
        bookedTherapist: ana,
        ...(therapist === kai ? { start: '09:00', end: '12:00' } : { start: '13:00', end: '16:00' }),
      });
  expect((await plan()).taken).toEqual(['Lou Of orlando']);
});

test('given more therapists who have left than therapists who work here, cover is compared only among those who work here', async () => {
  const { db } = t.deps;
  const location = 'deerfield';
  const loads = async () =>
    (await loadClinicDay(db, location, DATE, { wall: { date: DATE, minutes: 0 } })).therapists.flatMap(
      ({ work, notEmployed }) => (work && notEmployed === null ? [work.load] : []),
    );
  const own = await buildClient(db, { location });
  const other = await buildTherapist(db, { location: 'tampa' });
  for (const start of ['09:00', '12:00'])
    await buildAppointment(db, {
      therapist: await buildTherapist(db, { location }),
      client: own,
      date: addDays(DATE, -7),
      start,
      end: start.replace(/^\d+/, (hour) => String(Number(hour) + 2)),
      location,
      bookedTherapist: other,
    });
  const before = await loads();
  for (let n = 0; n < 3; n++) await buildTherapist(db, { location, lastDay: addDays(DATE, -1) });
  expect(await loads()).toEqual(before);
});
