import { openDatabase } from '../db/connection.ts';
import { buildCoverApp } from './cover-app.ts';
import { deskWork, type DeskWork } from './desk-work.ts';
import type { SignedIn, TestApp, TestAppOptions } from './test-app.ts';
import { createTestDatabase } from './test-database.ts';
import { fillYears, pastTherapist } from './years.ts';

/** An application on a database with a history, and what its desk does. */
export interface PastClinic {
  readonly t: TestApp;
  readonly who: SignedIn;
  readonly work: readonly DeskWork[];
  readonly close: () => Promise<void>;
}

/** Fills a database with a history of this size, and opens an application on it with this many connections. */
export async function openPastClinic(
  history: Parameters<typeof fillYears>[1],
  connections: number,
  config: TestAppOptions['config'] & object,
): Promise<PastClinic> {
  const made = await createTestDatabase();
  // Filling uses connections without a time limit, because the vacuum can take minutes.
  const filling = openDatabase(made.target, { connections: 2, statementTimeoutMs: 0 });
  await fillYears(filling.db, history);
  await filling.close();
  const open = openDatabase(made.target, { connections });
  const closeBoth = async (): Promise<void> => {
    await open.close();
    await made.close();
  };
  const t = await buildCoverApp({ database: { ...made, ...open, close: closeBoth }, config });
  const who = await t.signIn({ role: 'admin' });
  const therapist = await t.signIn({ role: 'therapist', therapistId: pastTherapist(1, 0), locations: ['altamonte'] });
  const close = async (): Promise<void> => {
    await t.close();
    await t.database.close();
  };
  return { t, who, work: deskWork(t, who, therapist), close };
}
