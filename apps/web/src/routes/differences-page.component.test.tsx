import { importFolderEndpoints, type FolderImport, type ImportDifference } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from '../testing/pages.tsx';

const SIDE = {
  date: '2026-11-20',
  start: '09:00',
  end: '10:00',
  location: 'altamonte',
  client: 'Bo Lee',
  therapist: 'Ana Ruiz',
  subject: 'Direct Therapy',
  status: 'Confirmed',
};
const ROW: ImportDifference = {
  key: 'id:1',
  version: 3,
  both: true,
  theirs: SIDE,
  ours: { ...SIDE, status: 'Cancelled' },
  changed_at: '2026-11-18T11:00:00Z',
  changed_by: 'Dana Reyes',
};
const LAST: FolderImport = {
  id: '00000000-0000-4000-8000-000000000001',
  at: '2026-11-18T08:02:00Z',
  state: 'waiting',
  files: 3,
  new: 4,
  changed: 0,
  refused: 2,
  newly_refused: 2,
  questions: 0,
  fault: '',
  folder: 'waiting/2026-11-18T08-02-00',
  wanted: false,
};
const session = {
  account: { id: 'someone', email: 'a@clinic.example', name: 'Dana Reyes', role: 'admin' as const, locations: null },
};

test('each difference shows theirs, ours and who changed it, and is decided with the version that was shown', async () => {
  let left = [ROW];
  const { requests } = await openPage('/differences', {
    session,
    replies: [
      [importFolderEndpoints.folderImport, { last: { ...LAST, state: 'imported' }, differences: 1 }],
      [importFolderEndpoints.differences, () => Response.json({ differences: left })],
      [
        importFolderEndpoints.decideDifferences,
        () => {
          left = [];
          return Response.json({ decided: 1 });
        },
      ],
    ],
  });
  const row = page.getByRole('row', { name: /Bo Lee/ });
  await expect.element(row).toMatchTextContent(/Confirmed.*Cancelled.*6:00 AM, Dana Reyes.*Both changed/);
  await page.getByRole('button', { name: /^Keep ours.*Bo Lee$/ }).click();
  await expect.element(page.getByText('No differences to decide')).toBeVisible();
  expect(requests.map(({ body }) => body)).toEqual([{ take: 'ours', rows: [{ key: 'id:1', version: 3 }] }]);
});

test('a set of files that waits says why and where it is, and can be let through', async () => {
  const { requests } = await openPage('/differences', {
    session,
    replies: [
      [importFolderEndpoints.folderImport, { last: LAST, differences: 0 }],
      [importFolderEndpoints.differences, { differences: [] }],
      [importFolderEndpoints.importWaiting, () => new Response(null, { status: 204 })],
    ],
  });
  await expect.element(page.getByText(/waits: 2 rows would be left out that were not before/)).toBeVisible();
  await expect.element(page.getByText(/in waiting\/2026-11-18T08-02-00/)).toBeVisible();
  await page.getByRole('button', { name: 'Import the other rows' }).click();
  await expect.poll(() => requests.map(({ path }) => path)).toEqual([`/folder-imports/waiting/${LAST.id}`]);
});
