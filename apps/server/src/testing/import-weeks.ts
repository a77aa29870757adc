import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Db } from '../db/connection.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import type { Answers } from '../import/import-types.ts';
import { importFiles, type ImportResult } from '../import/imports.service.ts';
import { CLIENTS, smallFiles, THERAPISTS } from '../import/testing/small.ts';

const OPTIONS = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };

/**
 * For the tests of a file: a database with a few people, and imports of appointments under this header. Before each
 * test, the answers of earlier imports are forgotten.
 */
export function useWeeks(header: string) {
  let database!: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await importFiles(database.db, smallFiles({ therapists: THERAPISTS, clients: CLIENTS }), OPTIONS);
  });
  beforeEach(() => database.db.deleteFrom('import_answer').execute());
  afterAll(() => database.close());
  return {
    get db(): Db {
      return database.db;
    },
    run: (rows: readonly string[], answers: Answers = {}, dryRun = false): Promise<ImportResult> => {
      const file = { name: 'week.csv', bytes: Buffer.from([header, ...rows, ''].join('\n')) };
      return importFiles(database.db, { appointments: file }, { ...OPTIONS, answers, dryRun });
    },
  };
}
