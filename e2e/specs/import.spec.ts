// This file is over 250 lines because it tests an import step by step.
import { readFileSync } from 'node:fs';
import { expectAccessible, expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';
import { APPOINTMENTS, check, checked, choose, clients, csv, open, replied } from '../pages/import.ts';

test('[ROUTE-06] checking files shows what an import would do and why rows are refused, and importing saves the rows once', async ({
  page,
  request,
}) => {
  await open(page);
  await choose(page, 'clients', clients('C-I1,Juno,Importer,tampa,Female,', 'C-I2,Odd,Importer,atlantis,Female,'));
  await choose(
    page,
    'appointments',
    csv(
      'week.csv',
      APPOINTMENTS,
      'I-1,"11/16/2026, 8:00 AM","11/16/2026, 9:00 AM",Direct Therapy,,Confirmed,Juno Importer,Tampa',
      'I-1,"11/16/2026, 9:00 AM","11/16/2026, 10:00 AM",Direct Therapy,,Confirmed,Juno Importer,Tampa',
      'I-2,"11/16/2026, 11:00 AM","11/16/2026, 10:00 AM",Direct Therapy,,Confirmed,Juno Importer,Tampa',
    ),
  );
  await checked(page);
  await expect(page.getByText('2 rows would be saved.')).toBeVisible();
  await expect(page.getByText('2 rows are left out.')).toBeVisible();
  const figures = page.getByRole('table', { name: 'Results of the check' });
  await expect(figures.getByRole('row', { name: /^Clients/ }).getByRole('cell')).toHaveText([
    '2',
    '1',
    '0',
    '0',
    '0',
    '0',
    '1',
  ]);
  await expect(figures.getByRole('row', { name: /^Appointments/ }).getByRole('cell')).toHaveText([
    '3',
    '1',
    '0',
    '0',
    '1',
    '0',
    '1',
  ]);
  const refused = page.getByRole('table', { name: 'Refused' });
  await expect(refused.getByRole('row')).toHaveCount(3);
  await expect(refused.getByRole('row').nth(1)).toContainText(/Clients3Refused.*atlantis/);
  await expect(refused.getByRole('row').nth(2)).toContainText(/Appointments4Refusedend before start/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download these rows' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('import-refused.csv');
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/^refused,clients\.csv,3,.*atlantis/);
  expect(lines[2]).toMatch(/^refused,week\.csv,4,end before start,.*I-2/);
  await page.getByRole('button', { name: /^Merged/ }).click();
  await expect(page.getByRole('table', { name: 'Merged' }).getByRole('row').nth(1)).toContainText('9:00 AM');
  await page.getByRole('button', { name: /^Imported/ }).click();
  await expect(page.getByRole('table', { name: 'Imported' }).getByRole('row')).toHaveCount(3);
  const api = await Api.signIn(request);
  const juno = async () =>
    (await api.get<{ display_name: string }[]>('/clients')).filter((c) => c.display_name === 'Juno Importer').length;
  expect(await juno()).toBe(0);

  await replied(page, 'Import 2 rows');
  await expect(page.getByText('The import is done: 2 rows saved.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Results of the import' })).toBeVisible();
  expect(await juno()).toBe(1);

  await page.getByRole('button', { name: 'Import more' }).click();
  await choose(page, 'clients', clients('C-I1,Juno,Importer,tampa,Female,'));
  await checked(page);
  await expect(page.getByText('Nothing new in these files.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nothing to import' })).toHaveAttribute('aria-disabled', 'true');
});

test('given a column with an unknown name, the page asks about it once and remembers the answer for the next file @detail', async ({
  page,
}) => {
  const header = 'Kid ref,first_name,last_name,location,gender,restrictions,Shoe size';
  const kids = csv('kids.csv', header, 'C-I7,Rita,Importer,tampa,Female,,31');
  await open(page);
  await choose(page, 'clients', kids);
  await checked(page);
  const columns = page.getByRole('region', { name: '2 other columns' });
  await expect(columns.getByText('What does the column “Kid ref” hold?')).toBeVisible();
  await expect(columns.getByText('Clients · for example C-I7')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nothing to import' })).toBeVisible();
  await expect(columns.getByText('Still needed: id (kids.csv).')).toBeVisible();
  await columns.getByLabel('What does the column “Kid ref” hold? Clients').selectOption('id');
  await columns.getByLabel('What does the column “Shoe size” hold? Clients').selectOption('Ignore this column');
  await replied(page, 'Check again with these columns');
  await expect(page.getByText('1 row would be saved.')).toBeVisible();
  await expect(columns.getByRole('button', { name: 'Check again with these columns' })).toHaveCount(0);
  await expectAccessible(page, 'columns to choose');
  await replied(page, 'Import 1 row');
  await expect(page.getByText('The import is done: 1 row saved.')).toBeVisible();

  await page.reload();
  await choose(page, 'clients', kids);
  await checked(page);
  await expect(page.getByText('Nothing new in these files.')).toBeVisible();
  await expect(columns.getByText('2 remembered choices')).toBeVisible();
  await expect(columns.getByLabel('What does the column “Kid ref” hold? Clients')).toHaveValue('id');
  await expect(columns.getByText('Remembered', { exact: true })).toHaveCount(2);
});

test('given a name that no one has, the page remembers who is meant, and the answer can be taken back @detail', async ({
  page,
}) => {
  const week = csv(
    'middle.csv',
    APPOINTMENTS,
    'I-81,"11/16/2026, 8:00 AM","11/16/2026, 9:00 AM",Direct Therapy,,Confirmed,Zora B. Middle,Tampa',
  );
  await open(page);
  await choose(page, 'clients', clients('C-I10,Zora,Middle,tampa,Female,'));
  await choose(page, 'appointments', week);
  await checked(page);
  const questions = page.getByRole('region', { name: '1 question' });
  const answer = questions.getByLabel('There is no client Zora B. Middle Tampa');
  await answer.selectOption({ label: 'Zora Middle (C-I10, Tampa)' });
  await replied(page, 'Check again with these answers');
  await replied(page, 'Import 2 rows');
  await expect(page.getByText('The import is done: 2 rows saved.')).toBeVisible();

  await page.reload();
  await choose(page, 'appointments', week);
  await checked(page);
  await expect(questions.getByText('Remembered', { exact: true })).toBeVisible();
  await expect(answer).toHaveValue('C-I10');
  await answer.selectOption('Leave these rows out');
  await replied(page, 'Check again with these answers');
  await expect(page.getByText('1 row is left out.')).toBeVisible();
  await expect(answer).toHaveValue('-');
});

test('given a file without restrictions and with unknown columns, then one button ignores these, and the new client is listed @detail', async ({
  page,
}) => {
  const names = Array.from({ length: 20 }, (_, i) => `Extra ${i}`);
  const header = ['id,first_name,last_name,location,gender', ...names].join();
  await open(page);
  await choose(page, 'clients', csv('bare.csv', header, `C-I9,Tove,Importer,tampa,Female,${names.join()}`));
  await checked(page);
  await expect(page.getByText('Still needed: restrictions (bare.csv).')).toBeVisible();
  await page.getByRole('button', { name: 'Ignore the 20 columns without an answer' }).click();
  await replied(page, 'Check again with these columns');
  await expect(page.getByText('1 row would be saved.')).toBeVisible();
  await expect(page.getByText('the file says nothing about restrictions, so this client has none')).toBeVisible();
});

test('given an unknown cancellation reason, the page asks once which cause is meant; the rows can be imported without an answer @detail', async ({
  page,
}) => {
  const week = csv(
    'lost.csv',
    `${APPOINTMENTS},Cancellation Reason,Cancelled By`,
    'I-71,"11/16/2026, 8:00 AM","11/16/2026, 9:00 AM",Direct Therapy,,Cancelled,Juno Lost,Tampa,Kid had fever,Parent',
    'I-72,"11/17/2026, 8:00 AM","11/17/2026, 9:00 AM",Direct Therapy,,Cancelled,Juno Lost,Tampa,kid had  fever,Parent',
  );
  await open(page);
  await choose(page, 'clients', clients('C-I8,Juno,Lost,tampa,Female,'));
  await choose(page, 'appointments', week);
  await checked(page);
  await expect(page.getByText('3 rows would be saved.')).toBeVisible();
  const causes = page.getByRole('region', { name: 'Why sessions were cancelled' });
  await expect(causes.getByRole('listitem')).toHaveCount(1);
  await expect(causes.getByRole('listitem')).toContainText('2 rows');
  await causes.getByLabel('Which reason is “Kid had fever”?').selectOption('Sick');
  await expectAccessible(page, 'a cause to choose');
  await replied(page, 'Check again with these reasons');
  await expect(causes.getByRole('button', { name: 'Check again with these reasons' })).toHaveCount(0);
  await replied(page, 'Import 3 rows');
  await expect(page.getByText('The import is done: 3 rows saved.')).toBeVisible();

  await page.reload();
  await choose(page, 'appointments', week);
  await checked(page);
  await expect(page.getByText('Nothing new in these files.')).toBeVisible();
  await expect(causes.getByText('Remembered', { exact: true })).toBeVisible();
  await expect(causes.getByLabel('Which reason is “Kid had fever”?')).toHaveValue('sick');
});

test('given an unknown status, the page asks once what it means, and remembers the answer for the next file @detail', async ({
  page,
}) => {
  const rows = (status: string, count: number) =>
    Array.from(
      { length: count },
      (_, i) =>
        `I-8${i},"11/${16 + i}/2026, 8:00 AM","11/${16 + i}/2026, 9:00 AM",Direct Therapy,,${status},Juno Status,Tampa`,
    );
  await open(page);
  await choose(page, 'clients', clients('C-I9,Juno,Status,tampa,Female,'));
  await choose(page, 'appointments', csv('rendered.csv', APPOINTMENTS, ...rows('Rendered', 2)));
  await checked(page);
  await expect(page.getByText('1 row would be saved. 2 rows are left out.')).toBeVisible();
  const statuses = page.getByRole('region', { name: 'Unknown statuses' });
  await expect(statuses.getByRole('listitem')).toHaveCount(1);
  await expect(statuses.getByRole('listitem')).toContainText('2 rows');
  const meaning = statuses.getByLabel('What does the status “Rendered” mean?');
  await meaning.selectOption('Took place');
  await expectAccessible(page, 'a status to explain');
  await replied(page, 'Check again with these statuses');
  await expect(statuses.getByRole('button', { name: 'Check again with these statuses' })).toHaveCount(0);
  await replied(page, 'Import 3 rows');
  await expect(page.getByText('The import is done: 3 rows saved.')).toBeVisible();

  await page.reload();
  await choose(page, 'appointments', csv('rendered.csv', APPOINTMENTS, ...rows('RENDERED', 3)));
  await checked(page);
  await expect(page.getByText('1 row would be saved.')).toBeVisible();
  await expect(statuses.getByText('Remembered', { exact: true })).toBeVisible();
  await expect(meaning).toHaveValue('Completed');
  await meaning.selectOption('Cancelled by the family');
  await replied(page, 'Check again with these statuses');
  await expect(page.getByText('3 rows would be saved.')).toBeVisible();
});

test('a long import shows its progress, and leaving the page while rows are saved asks first', async ({ page }) => {
  await open(page);
  await choose(page, 'clients', clients('C-I3,Slow,Importer,tampa,Female,'));
  let go = (): void => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/api/imports**', async (route) => {
    await held;
    await route.continue();
  });
  await check(page);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Checking...' })).toHaveAttribute('aria-disabled', 'true');
  go();
  await expect(page.getByText('1 row would be saved.')).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);

  await page.unroute('**/api/imports**');
  let write = (): void => {};
  const writing = new Promise<void>((resolve) => (write = resolve));
  await page.route('**/api/imports', async (route) => {
    await writing;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(page.getByRole('button', { name: 'Importing...' })).toBeVisible();
  const asked = page.waitForEvent('dialog');
  const left = page.evaluate(() => location.reload());
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await left;
  write();
  await expect(page.getByText('The import is done: 1 row saved.')).toBeVisible();
});

test('when a file cannot be imported, the page says why and the files stay chosen @detail', async ({ page, watch }) => {
  watch.allow(/422|500|ERR_FAILED/);
  await open(page);
  await choose(page, 'clients', { ...clients('x'), name: 'clients.csv', buffer: Buffer.from('%PDF-1.7\n') });
  await checked(page);
  await expect(page.getByRole('alert')).toContainText(
    'clients.csv is a PDF document, which cannot be read here. Export',
  );
  await choose(page, 'clients', csv('clients.csv', 'a,b', '1,2'));
  await checked(page);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The files could not be checked. clients.csv does not look like a client export');
  await expect(alert).toContainText('Nothing was saved. The files are still chosen.');
  await expect(page.getByRole('button', { name: 'Remove clients.csv' })).toBeVisible();

  await choose(page, 'clients', clients(...Array.from({ length: 20_001 }, (_, i) => `C-${i},Ana,Ruiz,tampa,Female,`)));
  await checked(page);
  await expect(alert).toContainText('clients.csv has more than 20,000 rows. Split it, or export fewer weeks at once.');

  await choose(page, 'clients', clients('C-I4,Late,Importer,tampa,Female,'));
  await expect(alert).toHaveCount(0);
  await page.route('**/api/imports**', (route) => route.abort(), { times: 1 });
  await check(page);
  await expect(alert).toContainText('The server did not reply.');
  await checked(page);
  await expect(page.getByText('1 row would be saved.')).toBeVisible();
  await page.route('**/api/imports', (route) => route.fulfill({ status: 500, json: { detail: 'The disk is full.' } }));
  await replied(page, 'Import 1 row');
  await expect(alert).toContainText('The import failed. The disk is full.');
  await expect(alert).toContainText('Then import again to finish the rest');
  await page.getByRole('button', { name: 'Remove clients.csv' }).click();
  await expect(page.getByRole('button', { name: 'Check the files' })).toHaveAttribute('aria-disabled', 'true');
});

test('the palette and the account menu open the import for administrators; a scheduler is told that it is only for administrators @detail', async ({
  page,
}) => {
  await signedIn(page, DEMO.admin, '/calendar');
  await new Calendar(page).ready();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^A person/ }).fill('import');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/import$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/calendar/);
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await signedIn(page, DEMO.staff, '/calendar');
  await page.getByRole('button', { name: /account of/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Import' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.goto('/import');
  await expect(page.getByRole('alert')).toContainText(
    'Only administrators with access to all locations can open this page.',
  );
  await expect(page.getByLabel('Clients file')).toHaveCount(0);
});

test('axe finds no violations in the import, in both themes', async ({ page }) => {
  const look = (what: string): Promise<void> => expectAccessibleInBothThemes(page, what);
  await open(page);
  await look('nothing chosen');
  await choose(page, 'clients', { ...clients('x'), name: 'clients.pdf' });
  await choose(page, 'appointments', csv('week.csv', APPOINTMENTS, 'I-9,x,y,Direct Therapy,,Confirmed,Nobody,Tampa'));
  await checked(page);
  await expect(page.getByRole('table', { name: 'Refused' })).toBeVisible();
  await look('checked, with a file that is none');
  await page.setViewportSize({ width: 390, height: 844 });
  await look('390 wide');
  // Wide tables scroll within their own area; the page does not scroll sideways.
  const over = await page.getByRole('main').evaluate((main) => {
    const sheet = main.querySelector('h2')?.closest('section')?.parentElement?.parentElement?.parentElement;
    return (sheet?.scrollWidth ?? Infinity) - (sheet?.clientWidth ?? 0);
  });
  expect(over).toBe(0);
});
