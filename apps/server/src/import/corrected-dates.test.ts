import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import { importFiles } from './imports.service.ts';
import type { ImportFiles, ImportKind } from './import-types.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await outcomes(smallFiles({ therapists: THERAPISTS, clients: CLIENTS }));
});
afterAll(() => database.close());

async function outcomes(files: ImportFiles) {
  const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.parse('2026-11-20') };
  const result = await importFiles(database.db, files, options);
  return result.outcomes.map(({ outcome, text }) => [outcome, text]);
}
const run = (lines: Partial<Record<ImportKind, string[]>>) =>
  outcomes(
    Object.fromEntries(
      Object.entries(lines).map(([kind, rows]) => [kind, { name: `${kind}.csv`, bytes: Buffer.from(rows.join('\n')) }]),
    ),
  );

test('given a file that corrects the first day of an authorization or a credential, then it replaces the stored one, and its units do not count twice', async () => {
  const head = 'client,payer,code,number,from_date,until_date,units';
  const of = (from: string, until: string, units = 100, payer = 'Corr', number = 'K-1') => [
    head,
    `C-2,${payer},97153,${number},${from},${until},${units}`,
  ];
  const stored = async () => {
    const rows = await database.db
      .selectFrom('client_authorization')
      .select(['from_date', 'until_date', 'units'])
      .where('payer', 'ilike', 'corr%')
      .orderBy('from_date')
      .execute();
    return rows.map((row) => `${row.from_date} ${row.until_date} ${row.units}`);
  };
  await run({ authorizations: of('2026-01-01', '2026-06-30') });
  expect(await run({ authorizations: of('2026-01-15', '2026-06-30', 90, 'CORR') })).toEqual([
    ['changed', 'its first day was 2026-01-01'],
  ]);
  expect(await stored()).toEqual(['2026-01-15 2026-06-30 90']);
  // A renewal has later dates; it is stored beside the one before. If both dates are others and they overlap, no one but
  // a person can know which it is.
  expect(await run({ authorizations: of('2026-07-01', '2026-12-31') })).toEqual([['new', null]]);
  expect(await run({ authorizations: of('2026-06-01', '2026-12-15') })).toEqual([
    ['new', expect.stringMatching(/^K-1 is also stored from 2026-01-15 to 2026-06-30, and the units of both count/)],
  ]);
  await database.db.deleteFrom('client_authorization').where('from_date', '=', isoDate('2026-06-01')).execute();
  // A file that has both rows means both.
  expect(
    await run({
      authorizations: [...of('2026-01-15', '2026-06-30', 90, 'CORR'), ...of('2026-02-01', '2026-06-30').slice(1)],
    }),
  ).toEqual([
    ['unchanged', null],
    ['new', null],
  ]);
  // Nor are two without a number, or of two payers, the same.
  for (const more of [of('2026-03-01', '2026-06-30', 1, 'Corr', ''), of('2026-03-02', '2026-06-30', 1, 'Corr', '')])
    expect(await run({ authorizations: more })).toEqual([['new', null]]);
  expect(await run({ authorizations: of('2026-03-03', '2026-06-30', 1, 'Corr two') })).toEqual([['new', null]]);

  const issued = (from: string) => [
    'therapist,credential,number,from_date,until_date',
    `T-1,RBT,N-7,${from},2027-05-31`,
  ];
  await run({ credentials: issued('2025-06-01') });
  expect(await run({ credentials: issued('2025-06-10') })).toEqual([['changed', 'its first day was 2025-06-01']]);
  const held = await database.db
    .selectFrom('therapist_credential')
    .select('from_date')
    .where('number', '=', 'N-7')
    .execute();
  expect(held).toEqual([{ from_date: '2025-06-10' }]);
});
