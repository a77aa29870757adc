import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkBoundaries } from './boundaries.mjs';

const root = mkdtempSync(join(tmpdir(), 'clinic-boundaries-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the check on a repository with these files and returns its report. */
function check(files: Record<string, string>): string[] {
  rmSync(root, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return checkBoundaries(root);
}

test('the repository itself breaks no boundary', () => {
  expect(checkBoundaries()).toEqual([]);
});

const F = 'apps/server/src';
const W = 'apps/web/src';
// Planted violations, in every form of import: each must be found.
test.each<[string, string, string]>([
  ['a room knows another', `${F}/calendar/calendar.service.ts`, `import { x } from '../book/absences.service.ts';`],
  [
    'a room that has no place, from its first file',
    `${F}/plan/brand-new/first.ts`,
    `import { x } from '../book/actions.service.ts';`,
  ],
  ['by export', `${F}/calendar/calendar.service.ts`, `export { x } from '../book/absences.service.ts';`],
  ['by a type alone', `${F}/calendar/calendar.service.ts`, `import type { X } from '../book/absences.service.ts';`],
  [
    'by an inline type',
    `${F}/calendar/calendar.service.ts`,
    `export type X = import('../book/absences.service.ts').X;`,
  ],
  ['by import()', `${F}/calendar/calendar.service.ts`, `const x = await import('../book/absences.service.ts');`],
  ['by import() of a name', `${F}/calendar/calendar.service.ts`, `const x = (p: string) => import(p);`],
  [
    'by the path of a worker',
    `${F}/calendar/calendar.service.ts`,
    `new Worker(new URL('../book/absences.worker.ts', import.meta.url));`,
  ],
  ['for its side effect', `${F}/calendar/calendar.service.ts`, `import '../book/absences.service.ts';`],
  ['the engine in another room', `${F}/calendar/calendar.service.ts`, `import { solve } from '@clinic/cover-engine';`],
  ['the solver in another room', `${F}/calendar/calendar.service.ts`, `import { solve } from '../solver/pool.ts';`],
  ['a room knows the application', `${F}/calendar/calendar.routes.ts`, `import { buildApp } from '../app.ts';`],
  [
    'the database knows a room',
    'apps/server/src/db/connection.ts',
    `import { x } from '../calendar/calendar.service.ts';`,
  ],
  ['access knows a room', 'apps/server/src/access/access.ts', `import { x } from '../session/session.service.ts';`],
  ['the database knows the platform', 'apps/server/src/db/connection.ts', `import { x } from '../platform/logger.ts';`],
  ['the settings know the database', 'apps/server/src/config.ts', `import type { Db } from './db/connection.ts';`],
  [
    'the clinic day knows the shapes of the engine',
    'apps/server/src/day/clinic-day.ts',
    `import type { CoverProblem } from '@clinic/cover-engine';`,
  ],
  [
    'the clinic day runs the engine',
    'apps/server/src/day/clinic-day.ts',
    `import { solve } from '@clinic/cover-engine';`,
  ],
  [
    'a product file uses what is for tests',
    `${F}/calendar/calendar.service.ts`,
    `import { x } from '../testing/test-app.ts';`,
  ],
  ['a product file uses the test kit', `${F}/calendar/calendar.service.ts`, `import { x } from '@clinic/testkit';`],
  ['an app knows an app', `${W}/shared/api.ts`, `import type { Config } from '../../../server/src/config.ts';`],
  ['a package by its inside', `${W}/shared/api.ts`, `import { x } from '../../../../packages/domain/src/time.ts';`],
  ['a page feature knows another', `${W}/features/calendar/model.ts`, `import { x } from '../cover/model.ts';`],
  ['a page feature knows the workspace', `${W}/features/calendar/model.ts`, `import { x } from '../workspace/x.ts';`],
  ['shared knows a feature', `${W}/shared/shell.tsx`, `import { x } from '../features/calendar/model.ts';`],
  ['a page knows the engine', `${W}/features/cover/model.ts`, `import { x } from '@clinic/cover-engine';`],
  ['a page knows Node', `${W}/shared/api.ts`, `import { readFileSync } from 'node:fs';`],
  [
    'the embedded modal carries the contract',
    'apps/embed/src/modal/main.tsx',
    `import { slots } from '@clinic/contract';`,
  ],
  ['the domain knows the contract', 'packages/domain/src/time.ts', `import { x } from '@clinic/contract';`],
  ['the domain knows a package', 'packages/domain/src/time.ts', `import { z } from 'zod';`],
  ['the domain knows Node', 'packages/domain/src/time.ts', `import { readFileSync } from 'fs';`],
  ['the engine knows the contract', 'packages/cover-engine/src/search.ts', `import { x } from '@clinic/contract';`],
  ['the weeks engine knows the contract', 'packages/weeks-engine/src/x.ts', `import { x } from '@clinic/contract';`],
  ['a feature knows a part of the engine', `${F}/today/x.ts`, `import { x } from '@clinic/cover-engine/highs';`],
  ['the contract knows the engine', 'packages/contract/src/wire.ts', `import { x } from '@clinic/cover-engine';`],
  ['a folder that has no place', 'apps/server/src/helpers/misc.ts', `export const x = 1;`],
  ['a package that has no place', 'packages/utils/src/index.ts', `export const x = 1;`],
  ['an app that has no place', 'apps/mobile/src/main.ts', `export const x = 1;`],
  [
    'an arrow up: a plan knows who is called',
    `${F}/plan/commits/commits.service.ts`,
    `import { x } from '../../tell/calls/calls.service.ts';`,
  ],
  [
    'an arrow up: what is stored about a day knows the day',
    `${F}/day/facts/day.ts`,
    `import { x } from '../clinic-day.ts';`,
  ],
  ['an arrow up: access knows HTTP', `${F}/access/access.ts`, `import { x } from '../http/route.ts';`],
])('given a violation, it is reported: %s', (_what, path, content) => {
  const found = check({ [path]: content });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(path);
});

test.each<[string, string, string]>([
  [
    'a room, itself and what lies below it',
    `${F}/calendar/calendar.service.ts`,
    `import { x } from './calendar.queries.ts'; import { y } from '../day/clinic-day.ts'; import { z } from '../db/connection.ts'; import { w } from '../access/access.ts'; import { v } from '@clinic/contract';`,
  ],
  [
    'options, the engine and the solver',
    `${F}/plan/options/proposals.service.ts`,
    `import { solve } from '@clinic/cover-engine'; import { pool } from '../../solver/pool.ts';`,
  ],
  [
    'the embedded modal, the types of the contract',
    'apps/embed/src/modal/main.tsx',
    `import type { TimeslotsReply } from '@clinic/contract'; import { h } from 'preact';`,
  ],
  [
    'a route, features',
    `${W}/routes/calendar.tsx`,
    `import { x } from '../features/calendar/model.ts'; import './calendar.module.css';`,
  ],
  [
    'a test, what is for tests',
    `${F}/calendar/calendar.test.ts`,
    `import { x } from '../testing/test-app.ts'; import { y } from '@clinic/testkit'; import { z } from 'node:fs';`,
  ],
  [
    'the contract, zod',
    'packages/contract/src/wire.ts',
    `import * as z from 'zod/mini'; import { x } from '@clinic/domain';`,
  ],
])('given an allowed import, nothing is reported: %s', (_what, path, content) => {
  expect(check({ [path]: content })).toEqual([]);
});

const SERVER = 'apps/server/src';
test.each<[string, Record<string, string>, string]>([
  [
    'two files, one of them by a type alone',
    {
      [`${SERVER}/day/a.ts`]: `import { b } from './b.ts'; export interface A { x: 1 }`,
      [`${SERVER}/day/b.ts`]: `import type { A } from './a.ts'; export const b = (a: A) => a;`,
    },
    `${SERVER}/day/a.ts → ${SERVER}/day/b.ts → ${SERVER}/day/a.ts`,
  ],
  [
    'three files of two folders, beside a file that only leads to it',
    {
      [`${SERVER}/app.ts`]: `import './import/rows/row.ts';`,
      [`${SERVER}/import/rows/row.ts`]: `import type { Report } from '../report.ts';`,
      [`${SERVER}/import/report.ts`]: `export type { Field } from './rows/field.ts';`,
      [`${SERVER}/import/rows/field.ts`]: `import { row } from './row.ts';`,
    },
    `${SERVER}/import/report.ts → ${SERVER}/import/rows/field.ts → ${SERVER}/import/rows/row.ts → ${SERVER}/import/report.ts`,
  ],
  [
    'a worker that takes a type from the file which starts it',
    {
      [`${SERVER}/solver/pool.ts`]: `new Worker(new URL('./worker.ts', import.meta.url)); export interface Job { x: 1 }`,
      [`${SERVER}/solver/worker.ts`]: `import type { Job } from './pool.ts';`,
    },
    `${SERVER}/solver/pool.ts → ${SERVER}/solver/worker.ts → ${SERVER}/solver/pool.ts`,
  ],
  [
    "a package's file that imports the package by its name",
    {
      'packages/domain/src/index.ts': `export * from './time.ts';`,
      'packages/domain/src/time.ts': `import { x } from '@clinic/domain';`,
    },
    'packages/domain/src/index.ts → packages/domain/src/time.ts → packages/domain/src/index.ts',
  ],
  ['a file that imports itself', { 'tools/start.mjs': `import './start.mjs';` }, 'tools/start.mjs → tools/start.mjs'],
])('given files that import each other in a circle, the circle is reported: %s', (_what, files, circle) => {
  expect(check(files)).toEqual([`${circle}: these files import each other in a circle`]);
});

test('given two files that both import a third, no circle is reported', () => {
  const files = {
    'tools/a.mjs': `import './b.mjs'; import './c.mjs';`,
    'tools/b.mjs': `import './d.mjs';`,
    'tools/c.mjs': `import './d.mjs';`,
    'tools/d.mjs': `import 'node:fs';`,
  };
  expect(check(files)).toEqual([]);
});
