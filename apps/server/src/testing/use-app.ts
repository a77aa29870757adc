import { afterAll, beforeAll } from 'vitest';
import type { Db } from '../db/connection.ts';
import type { App, Deps } from '../access/deps.ts';
import { buildTestApp, FRIDAY_MORNING, type SignedIn, type TestAccount, type TestApp } from './test-app.ts';
import type { TestDatabase } from './test-database.ts';

/** An application that stays open for all tests in a file, with its own database and a scheduler who is logged in. */
export class OpenApp {
  opened!: TestApp;
  staff!: SignedIn;

  get app(): App {
    return this.opened.app;
  }
  get deps(): Deps {
    return this.opened.deps;
  }
  get db(): Db {
    return this.opened.deps.db;
  }
  get database(): TestDatabase {
    return this.opened.database;
  }
  get logLines(): readonly string[] {
    return this.opened.logLines;
  }
  signIn(account?: Partial<TestAccount>): Promise<SignedIn> {
    return this.opened.signIn(account);
  }
}

type Build = () => Promise<TestApp>;

/** Opens an application before a file's first test and closes it after the last; `prepare` fills its database. */
export function openFor<T extends OpenApp>(
  open: T,
  build: Build = () => buildTestApp({ config: FRIDAY_MORNING }),
  prepare: (open: T) => Promise<void> = () => Promise.resolve(),
): T {
  beforeAll(async () => {
    open.opened = await build();
    open.staff = await open.signIn();
    await prepare(open);
  });
  afterAll(() => open.opened.close());
  return open;
}

export const useApp = (build?: Build, prepare?: (open: OpenApp) => Promise<void>): OpenApp =>
  openFor(new OpenApp(), build, prepare);
