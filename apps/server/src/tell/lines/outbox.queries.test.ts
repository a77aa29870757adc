import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { isoAt } from '../../platform/clock.ts';
import { keepSifted } from '../../platform/sending/outbox.queries.ts';
import { buildTherapist } from '../../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { selectReached } from './call-day.queries.ts';
import { bringForward } from './outbox.queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const ON = { location: 'altamonte', date: isoDate('2030-11-22') } as const;
const [EARLIER, NOW, LATER] = ['2030-11-22T11:00:00Z', '2030-11-22T12:00:00Z', '2030-11-22T13:00:00Z'].map((each) =>
  isoAt(Date.parse(each)),
) as [string, string, string];
let number = 0;
/** Stores a message that waits to be sent at 8:00 by the clinic's clock, and returns its id. */
async function message(more: object = {}): Promise<string> {
  const about = { ...ON, person: 'client:bo', number: ++number, version: 'v', way: 'email' as const };
  const row = await database.db
    .insertInto('message')
    .values({ ...about, address: 'a@b.example', words: 'w', released_at: EARLIER, next_try_at: LATER, ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
const read = (id: string) =>
  database.db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const ENDED = {
  sent: { sent_at: EARLIER },
  failed: { failed_at: EARLIER },
  dropped: { dropped_at: EARLIER, dropped_why: 'over' as const },
};

test('when people’s messages are made due, only their own messages that wait for a later attempt change', async () => {
  const due = await message();
  const others = [
    ...Object.values(ENDED),
    { person: 'client:mo' },
    { date: '2030-11-23' },
    { location: 'tampa' },
    { taken_until: LATER },
    { next_try_at: EARLIER },
  ];
  const ids = [];
  for (const more of others) ids.push(await message(more));
  const before = await Promise.all(ids.map(read));
  await bringForward(database.db, ON, ['client:bo'], NOW);
  expect(Date.parse((await read(due)).next_try_at)).toBe(Date.parse(NOW));
  expect(await Promise.all(ids.map(read))).toEqual(before);
});

test.each(Object.entries(ENDED))(
  'given a message that was %s meanwhile, or a later attempt, then an earlier attempt neither drops nor readdresses it',
  async (_, ended) => {
    for (const more of [ended, { tries: 2 }]) {
      const id = await message({ tries: 1, ...more });
      const before = await read(id);
      for (const change of [{ drop: 'changed' as const }, { way: 'text' as const, address: '1', words: 'x' }])
        expect(await keepSifted(database.db, { id, tries: 1 }, change, NOW)).toBe(false);
      expect(await read(id)).toEqual(before);
    }
    const waits = await message({ tries: 1 });
    expect(await keepSifted(database.db, { id: waits, tries: 1 }, { drop: 'changed' }, NOW)).toBe(true);
    expect(await read(waits)).toMatchObject({ dropped_why: 'changed' });
  },
);

test('people have heard only messages that were sent, and what they saw of the newest version on their own page', async () => {
  const { db } = database;
  const day = JSON.stringify([{ start: 540, end: 660, with: null, service: 'direct' }]);
  const about = { person: 'client:heard', day };
  await message({ ...about, sent_at: NOW });
  await message({ ...about });
  await message({ ...about, failed_at: NOW });
  await message({ ...about, ...ENDED.dropped });
  await message({ person: 'client:heard', sent_at: NOW }); // sent by a version that did not store the day
  await message({ ...about, sent_at: NOW, date: '2030-11-23' });
  await message({ ...about, sent_at: NOW, location: 'tampa' });
  const seen = { ...ON, version: 'new', at: EARLIER };
  const therapists: string[] = [];
  for (const more of [
    { day, day_version: 'new' },
    { day, day_version: 'old' },
    {},
    { date: '2030-11-23', day, day_version: 'new' },
  ]) {
    const therapist_id = await buildTherapist(db);
    therapists.push(therapist_id);
    await db
      .insertInto('own_day_seen')
      .values({ ...seen, therapist_id, ...more })
      .execute();
  }
  const reached = (await selectReached(db, ON.location, ON.date)).filter(({ person }) => person !== 'client:bo');
  expect(reached.filter((each) => each.day !== null).map(({ person, how }) => [person, how])).toEqual([
    [`therapist:${therapists[0]}`, 'seen'],
    ['client:heard', 'sent'],
  ]);
  // What an older server stored as seen marks the line, and tells nothing of the day.
  const marks = reached.flatMap(({ person, how, version, day: of }) =>
    how === 'seen' && of === null ? [`${person} ${version}`] : [],
  );
  expect(marks.sort()).toEqual([1, 2].map((i) => `therapist:${therapists[i]} new`).sort());
});
