import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_LOCATIONS } from '@clinic/domain';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { IMPORT_KINDS, type ImportFiles } from '../import-types.ts';
import { importFiles, type ImportResult } from '../imports.service.ts';
import { Archive } from '../read/unpack.ts';
import { contents } from '../testing/contents.ts';
import { buildClinic, randomClinic } from '../testing/random-clinic.ts';
import { zipExport } from './exports.service.ts';
import { WHOLE, type ExportScope } from './scope.ts';

const RUNS = 25;
const into = (db: TestDatabase['db'], files: ImportFiles): Promise<ImportResult> =>
  importFiles(db, files, { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 30) });

/** The files in the zip file of an export. */
async function zipped(db: TestDatabase['db'], scope: ExportScope): Promise<ImportFiles> {
  const { file, bytes } = await zipExport(db, scope, 'Admin');
  const read = Buffer.alloc(bytes);
  await file.read(read, 0, bytes, 0);
  await file.close();
  const archive = Archive.open(read);
  return Object.fromEntries(
    IMPORT_KINDS.map((kind) => [kind, { name: `${kind}.csv`, bytes: archive?.part(`${kind}.csv`) ?? Buffer.of() }]),
  );
}

const textsOf = (files: ImportFiles) => IMPORT_KINDS.map((kind) => Buffer.from(files[kind]?.bytes ?? []).toString());
const notSaid = ({ outcomes }: ImportResult, ...fine: readonly string[]) =>
  outcomes
    .filter(({ outcome }) => !fine.includes(outcome))
    .map(({ kind, outcome, text, original }) => [kind, outcome, text, original]);

test('given any clinic, importing its export changes nothing, and makes the same clinic of an empty database', async () => {
  let sessions = 0;
  await fc.assert(
    fc.asyncProperty(
      randomClinic,
      fc.constantFrom<ExportScope>(
        WHOLE,
        { ...WHOLE, locations: DEFAULT_LOCATIONS.slice(0, 1).map(({ value }) => value) },
        { ...WHOLE, from: '2026-11-08', until: '2026-11-20' },
      ),
      async (clinic, scope) => {
        const [here, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
        try {
          sessions += await buildClinic(here.db, clinic);
          const before = await contents(here);
          const files = await zipped(here.db, scope);
          expect(notSaid(await into(here.db, files), 'unchanged', 'changed', 'kept', 'merged')).toEqual([]);
          expect(await contents(here)).toEqual(before);
          expect(notSaid(await into(other.db, files), 'new', 'merged')).toEqual([]);
          if (scope === WHOLE) expect(textsOf(await zipped(other.db, scope))).toEqual(textsOf(files));
        } finally {
          await Promise.all([here.close(), other.close()]);
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(sessions).toBeGreaterThan(RUNS * 2);
}, 300_000);
