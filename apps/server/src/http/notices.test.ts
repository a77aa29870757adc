import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderApiDocs } from './api-docs.page.ts';
import { openApiOf } from './openapi.ts';
import { BUILT_PAGES } from './pages.ts';

/** The third-party packages that an application's pages are bundled from. */
function dependenciesOf(app: string): string[] {
  const file = join(import.meta.dirname, '../../..', app, 'package.json');
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: Record<string, string> };
  return Object.keys(dependencies).filter((name) => !name.startsWith('@clinic/'));
}
/** Packages used only on the server; a build plugin keeps them out of the pages. */
const NOT_BUNDLED = ['zod'];

test.each([
  ['web', '/third-party-notices.txt', join(BUILT_PAGES.web, 'third-party-notices.txt')],
  ['embed', '/embed/timeslot-cancel.notices.txt', join(BUILT_PAGES.embed, 'embed/timeslot-cancel.notices.txt')],
])(
  'the licenses of all packages bundled into %s are in a file beside the bundle, linked from the API docs',
  (app, address, file) => {
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    for (const name of dependenciesOf(app).filter((each) => !NOT_BUNDLED.includes(each)))
      expect(text).toContain(`## ${name} - `);
    expect(text).toContain('Permission is hereby granted');
    expect(renderApiDocs(openApiOf([]))).toContain(`href="${address}"`);
  },
);
