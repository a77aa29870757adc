import { afterAll, beforeEach } from 'vitest';
import type { Db } from '../db/connection.ts';
import type { SignedIn, TestApp, TestAppOptions } from './test-app.ts';
import { buildCoverApp } from './cover-app.ts';
import { buildSmallClinic, type SmallClinic } from './small-clinic.ts';

export interface SmallApp {
  app: TestApp;
  db: Db;
  who: SignedIn;
  clinic: SmallClinic;
}

/**
 * Opens the small clinic in its own application and database, with a logged-in account, after closing the clinic in
 * `before`.
 */
export async function openSmallClinic(before: TestApp | undefined, options: TestAppOptions = {}): Promise<SmallApp> {
  await before?.close();
  const app = await buildCoverApp(options);
  const { db } = app.database;
  return { app, db, who: await app.signIn(), clinic: await buildSmallClinic(db) };
}

/** Opens a small clinic for each test in the file, and passes it to `use`. */
export function openForEachTest(use: (small: SmallApp) => void, options: TestAppOptions = {}): void {
  let app: TestApp | undefined;
  beforeEach(async () => {
    const small = await openSmallClinic(app, options);
    app = small.app;
    use(small);
  });
  afterAll(() => app?.close());
}
