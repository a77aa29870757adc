import { basename } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { browserOptions } from './e2e/fixtures/browser.ts';

/** How long a test waits for a condition: long enough for a busy machine. Vitest's default is one second. */
const expectPatiently = { poll: { timeout: 30_000 } };

/** Node reads the sources itself, as in production: calls between Vite's copies of modules cost a fifth of the time. */
const AS_IN_PRODUCTION = { experimental: { viteModuleRunner: false, nodeLoader: false } };

/**
 * Test files of one process share the modules that they import, and load them once: docs/decisions/0100. A test must
 * undo what it changes in them.
 */
const SHARED = { isolate: false };

/**
 * The longest files of *unit*, the engine, *integration* and *reliability*, each group's longest first. If one of them
 * starts last, a processor core waits for it; Vitest would start the largest files first.
 */
const LONGEST = [
  'bench',
  'optimal',
  'main', // it waits more than it works
  'authorization-kinds',
  'pool',
  'racing-submits',
  'kills',
  'random-use',
  'kills-release',
  'bad-solvers',
  'rolling-restart',
];

/** Tests that a run on another PostgreSQL leaves out: the command's own `--exclude` does not reach the groups. */
const LEFT_OUT = process.env['TESTS_LEFT_OUT']?.split(' ') ?? [];

/** Starts the longest files first, and the others in Vitest's order. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const [name = ''] = basename(moduleId).split('.');
      return LONGEST.includes(name) ? LONGEST.indexOf(name) : LONGEST.length;
    };
    return sorted.sort((a, b) => place(a) - place(b));
  }
}

// Five groups, run one after another by the test command: see CONTRIBUTING.md.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...SHARED,
          include: [
            'packages/{domain,contract,testkit}/src/**/*.test.ts',
            'apps/{web,embed}/src/**/*.test.{ts,tsx}',
            'tools/**/*.test.ts',
            'bench/*.test.ts',
          ],
          exclude: ['**/*.component.test.tsx'],
          environment: 'node',
          maxWorkers: 2, // with Vitest's default, only one of two processor cores would work
          testTimeout: 120_000, // this ends a hung test, but leaves a slow machine enough time
        },
      },
      {
        test: {
          name: 'components',
          include: ['apps/web/src/**/*.component.test.tsx'],
          expect: { poll: { timeout: 5_000 } },
          testTimeout: 120_000,
          maxWorkers: 2, // two pages at a time, one for each processor core
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: browserOptions(), actionTimeout: 60_000 }),
            instances: [{ browser: 'chromium', viewport: { width: 1440, height: 900 } }],
          },
        },
      },
      {
        test: {
          name: 'engine',
          ...SHARED,
          ...AS_IN_PRODUCTION,
          include: ['packages/{cover,weeks}-engine/src/**/*.test.ts'],
          environment: 'node',
          testTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'integration',
          ...SHARED,
          ...AS_IN_PRODUCTION,
          expect: expectPatiently,
          include: ['apps/server/src/**/*.test.ts'],
          exclude: ['**/*.reliability.test.ts', ...LEFT_OUT],
          globalSetup: ['apps/server/src/testing/global-setup.ts'],
          environment: 'node',
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 3, // while two of them use both processor cores, the third waits for the database
        },
      },
      {
        test: {
          name: 'reliability',
          ...AS_IN_PRODUCTION,
          expect: expectPatiently,
          include: ['apps/server/src/**/*.reliability.test.ts'],
          exclude: LEFT_OUT,
          globalSetup: ['apps/server/src/testing/global-setup.ts'],
          environment: 'node',
          testTimeout: 600_000,
          hookTimeout: 120_000,
          // Each file has its own database. Many files spend half of their time or more waiting, for the disk, a
          // server's start or a hung solver.
          maxWorkers: 3,
        },
      },
    ],
  },
});
