import { expect, test } from 'vitest';
import { actionsEndpoints, reportsEndpoints } from '@clinic/contract';
import { NoReplyError } from './client.ts';
import { fileOf, isWorkbook } from './files.ts';

const HEAD = 'PK\x03\x04\x14\0\0\0\0\0[Content_Types].xml PK\x03\x04xl/workbook.xml';
/** The last record of a zip file, with a comment. */
const last = (comment = ''): string => `PK\x05\x06${'\0'.repeat(16)}${String.fromCharCode(comment.length)}\0${comment}`;
const file = (text: string): Blob => new Blob([Uint8Array.from(text, (char) => char.charCodeAt(0))]);

test.each([
  ['whole', HEAD + last()],
  ['whole, with a comment', HEAD + last('from the clinic')],
  [
    'of another writer, whose first part is another one',
    `PK\x03\x04docProps/app.xml PK\x03\x04xl/workbook.xml${last()}`,
  ],
])('[SOL-14] a workbook that is %s is known by its bytes', async (_, text) => {
  expect(await isWorkbook(file(text))).toBe(true);
});

test.each([
  ['a login page', '<!doctype html><title>Log in</title>'],
  ['nothing', ''],
  ['null', 'null'],
  ['a zip file of something else', `PK\x03\x04word/document.xml${last()}`],
  ['a workbook that broke off', HEAD],
  ['a workbook that broke off in its last record', (HEAD + last()).slice(0, -3)],
  ['a page that names a workbook', `<p>xl/workbook.xml${last()}`],
])('[SOL-14] %s is not a workbook', async (_, text) => {
  expect(await isWorkbook(file(text))).toBe(false);
});

test('a report or a workbook is saved only if the reply is that file, whatever type a workbook comes with', async () => {
  const as = (body: Blob | string, type: string) => new Response(body, { headers: { 'Content-Type': type } });
  const workbook = file(HEAD + last());
  expect((await fileOf(actionsEndpoints.workbook, as(workbook, 'text/plain'), 'xlsx')).size).toBe(workbook.size);
  expect(await (await fileOf(reportsEndpoints.reportFile, as('a,b', 'text/csv; charset=utf-8'), 'csv')).text()).toBe(
    'a,b',
  );
  for (const format of ['csv', 'xlsx'] as const)
    await expect(fileOf(reportsEndpoints.reportFile, as('<html>', 'text/html'), format)).rejects.toThrow(NoReplyError);
});
