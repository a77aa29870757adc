import { readFile } from 'node:fs/promises';
import type { ShownRules } from '@clinic/contract';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { bookedPair } from '../pages/profiles.ts';

test('each ledger’s figures open their sessions, and axe finds no violations, in both themes @detail', async ({
  page,
}) => {
  await signedIn(page, DEMO.admin);
  await page.goto('/ledgers/hours?location=deerfield');
  const hours = page.getByRole('table', { name: 'Hours by therapist' });
  const figure = hours.getByRole('button', { name: /booked, .*: show the sessions/ }).first();
  await expect(figure).toBeVisible();
  await expect(page.getByText(/^Not checked for .+: no credential dates\.$/)).toBeVisible();
  await expect(page.getByLabel('Maximum hours a week')).toHaveValue('40');
  await expectAccessibleInBothThemes(page, 'the hours');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 720, height: 960 });
  await expect(page.getByRole('heading', { name: /^Hours, Deerfield, / }), 'paper says what it shows').toBeVisible();
  await expect(page.getByLabel('Maximum hours a week')).toBeHidden();
  await expect(hours.getByRole('columnheader').last(), 'no column is cut off').toBeInViewport({ ratio: 1 });
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await figure.click();
  const sessions = page.getByRole('dialog').getByRole('list', { name: 'Sessions' }).getByRole('link');
  // An address without a date means today.
  await expect(sessions.first()).toHaveAttribute('href', /^\/calendar\?(date=[-\d]{10}&)?location=deerfield/);
  await expectAccessibleInBothThemes(page, 'the sessions behind a figure');
  await page.keyboard.press('Escape');
  const choice = page.getByRole('group', { name: 'Ledger' });
  await choice.getByText('Care').click();
  await expect(page).toHaveURL(/\/ledgers\/care\?location=deerfield$/);
  await expect(choice.getByText('Care'), 'the focus stays on the choice').toBeFocused();
  const care = page.getByRole('table', { name: 'Care by client' });
  await expect(care.getByRole('button', { name: /delivered, .*: show the sessions/ }).first()).toBeVisible();
  await expectAccessibleInBothThemes(page, 'the care');
  await choice.getByText('Supervision').click();
  await expect(page).toHaveURL(/\/ledgers\/supervision\?location=deerfield$/);
  const supervision = page.getByRole('table', { name: 'Supervision by RBT' });
  await expect(
    supervision.getByRole('button', { name: /direct time this month, .*: show the sessions/ }).first(),
  ).toBeVisible();
  await expectAccessibleInBothThemes(page, 'the supervision');
  await choice.getByText('Authorizations').click();
  const authorizations = page.getByRole('table', { name: 'Valid authorizations by client' });
  await expect(authorizations.getByRole('button', { name: /used, .*: show the sessions/ }).first()).toBeVisible();
  await expect(page.getByText(/^Not checked for .+: no authorization\.$/)).toBeVisible();
  await expectAccessibleInBothThemes(page, 'the authorizations');
  for (const [ledger, head] of [
    ['Hours', 'Therapist,Credential,Booked,'],
    ['Care', 'Client,Booked,Delivered,'],
    ['Supervision', 'RBT,Direct,Needed,'],
    ['Authorizations', 'Client,Payer,Code,'],
  ] as const) {
    await choice.getByText(ledger).click();
    // Until then, the page still shows the ledger before.
    await expect(choice.getByText(ledger)).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('table').locator('tbody').getByRole('row').first()).toBeVisible();
    // Only the table scrolls, not the page.
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    const rows = await page.getByRole('table').locator('tbody').getByRole('row').count();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(
      new RegExp(`^${ledger.toLowerCase()}-deerfield-\\d{4}-\\d\\d-\\d\\d\\.csv$`),
    );
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]?.startsWith(head), lines[0]).toBe(true);
    expect(lines).toHaveLength(rows + 1);
  }
});

test('an administrator saves limits and a payer’s requirements with the keyboard, without losing the focus @detail', async ({
  page,
}) => {
  await signedIn(page, DEMO.admin);
  await page.goto('/ledgers/hours?location=deerfield');
  await page.getByText('Change the limits').press('Enter');
  const limits = page.getByRole('form', { name: 'The clinic’s limits' });
  const days = limits.getByLabel('Days a therapist counts as new');
  const daysBefore = await days.inputValue();
  await days.fill('45');
  await page.keyboard.press('Enter');
  await expect(limits.getByRole('status')).toHaveText('Saved.');
  await expect(days).toBeFocused();
  await days.fill(daysBefore);
  await limits.getByRole('button', { name: 'Save limits' }).press('Enter');
  await expect(limits.getByRole('button', { name: 'Save limits' })).toBeFocused();
  await expect(limits.getByRole('status')).toHaveText('Saved.');
  // An empty or blank limit is not taken for 0.
  const percent = limits.getByLabel('Supervision a month (percent)');
  const percentBefore = await percent.inputValue();
  for (const text of ['', ' ']) {
    await percent.fill(text);
    await percent.press('Enter');
    await expect(percent).toBeFocused();
    expect(await percent.evaluate((field: HTMLInputElement) => field.validity.valid)).toBe(false);
  }
  await expect(limits.getByRole('status')).toHaveText('');
  await percent.fill(percentBefore);

  await page.getByRole('group', { name: 'Ledger' }).getByText('Authorizations').click();
  await page.getByText('Change what payers require').press('Enter');
  const payer = page.getByRole('form', { name: /^What .* requires$/ }).first();
  const name = ((await payer.getAttribute('aria-label')) ?? '').replace(/^What (.*) requires$/, '$1');
  const skill = payer.getByLabel(`${name}: skill or enrollment`);
  const before = await skill.inputValue();
  await skill.fill('Crisis training');
  await page.keyboard.press('Enter');
  // No therapist has this skill, so the save asks about the sessions that no longer fit.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save without changing sessions' }).press('Enter');
  await expect(payer.getByRole('status')).toHaveText('Saved.');
  await expect(
    page.getByText(new RegExp(`^${name} requires every therapist to have: .*Crisis training\\.$`)),
  ).toBeVisible();
  await expect(skill).toBeFocused();
  await skill.fill(before);
  await page.keyboard.press('Enter');
  await expect(
    page.getByText(new RegExp(`^${name} requires every therapist to have: .*Crisis training\\.$`)),
  ).toHaveCount(0);
});

test('when another administrator saved a payer or the limits first, nothing is overwritten, and both versions are offered', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409.*(payers|rules)/);
  const api = await Api.signIn(request, DEMO.admin);
  const name = 'Harbor Fund';
  const put = async (path: string, body: object): Promise<void> => {
    const reply = await api.send('PUT', path, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  };
  const payer = (more: object) => put('/payers', { name, credential: null, tag: null, concurrent: [], ...more });
  const before = await api.get<ShownRules>('/rules');
  await payer({});
  await signedIn(page, DEMO.admin);
  await page.goto('/ledgers/authorizations?location=deerfield');
  await page.getByText('Change what payers require').click();
  const form = page.getByRole('form', { name: `What ${name} requires` });
  const [credential, skill] = [form.getByLabel(`${name}: credential`), form.getByLabel(`${name}: skill or enrollment`)];
  await expect(skill).toHaveValue('');
  const meanwhile = page.getByRole('alertdialog', { name: / in the meantime\.$/ });
  const save = form.getByRole('button', { name: `Save ${name}` });

  await payer({ credential: 'BCBA' });
  await skill.fill('Enrolled');
  await save.click();
  await expect(meanwhile).toHaveAccessibleName(`Someone else saved what ${name} requires in the meantime.`);
  await expect(meanwhile).toContainText('Nothing was overwritten, and your changes are still in the form.');
  await expect(meanwhile.getByRole('definition')).toHaveText(['Credential', 'Skill or enrollment']);
  await expectAccessibleInBothThemes(page, 'a payer that someone else has saved');
  await meanwhile.getByRole('button', { name: 'Keep editing' }).click();
  await expect(skill).toHaveValue('Enrolled');
  await expect(page.getByText(`${name} requires every therapist to have: BCBA.`)).toBeVisible();
  await save.click();
  await meanwhile.getByRole('button', { name: 'Save mine' }).click();
  await expect(form.getByRole('status')).toHaveText('Saved.');
  await expect(credential).toHaveValue('BCBA');
  await expect(page.getByText(`${name} requires every therapist to have: BCBA and Enrolled.`)).toBeVisible();
  // The message is about what is stored, so it disappears as soon as something is edited.
  await credential.selectOption('RBT');
  await expect(form.getByRole('status')).toHaveText('');

  await payer({ credential: null, tag: 'Telehealth' });
  await save.click();
  await meanwhile.getByRole('button', { name: 'Load their version' }).click();
  await expect(meanwhile).toHaveCount(0);
  await expect(skill).toHaveValue('Telehealth');
  await expect(credential).toHaveValue('');

  await page.getByRole('group', { name: 'Ledger' }).getByText('Hours').click();
  await page.getByText('Change the limits').press('Enter');
  const limits = page.getByRole('form', { name: 'The clinic’s limits' });
  const days = limits.getByLabel('Days a therapist counts as new');
  await days.fill('21');
  await put('/rules', { ...before, version: undefined, supervision_contacts: 3 });
  await limits.getByRole('button', { name: 'Save limits' }).click();
  await expect(meanwhile).toHaveAccessibleName('Someone else saved the limits in the meantime.');
  await meanwhile.getByRole('button', { name: 'Save mine' }).click();
  await expect(limits.getByRole('status')).toHaveText('Saved.');
  await expect(limits.getByLabel('Supervision a month (contacts)')).toHaveValue('3');
  await days.fill('22');
  await expect(limits.getByRole('status')).toHaveText('');
  const after = await api.get<ShownRules>('/rules');
  expect(after).toMatchObject({ new_here_days: 21, supervision_contacts: 3 });
  await put('/rules', { ...before, version: undefined });
  await payer({ concurrent: null });
});

test('when a payer requires more, the sessions that it would no longer pay for are listed, and cover can be found @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request, DEMO.admin);
  const date = await api.ownDay('payer');
  const payer = 'Bayside Plan'; // only this test's client has this payer
  const authorization = { payer, code: '97153', number: '', from_date: date, until_date: date, units: 100 };
  const more = { authorizations: [{ ...authorization, period: 'total' }] };
  const { therapist, client } = await bookedPair(api, 'Ames', { location: 'tampa', date }, { more });

  await signedIn(page, DEMO.admin);
  await page.goto(`/ledgers/authorizations?location=${therapist.location}`);
  await page.getByText('Change what payers require').click();
  const form = page.getByRole('form', { name: `What ${payer} requires` });
  await form.getByLabel(`${payer}: credential`).selectOption('BCBA');
  let checks = 0;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/payers/check', async (route) => {
    checks++;
    await held;
    await route.continue();
  });
  await form.getByRole('button', { name: 'Save', exact: false }).dblclick();
  release();
  const broken = page.getByRole('alertdialog', {
    name: '1 upcoming session no longer fits. Save, and find cover for it?',
  });
  const list = broken.getByRole('list', { name: 'Sessions that no longer fit' });
  expect(checks).toBe(1);
  await expect(list).toContainText(`${client.display_name}, with ${therapist.display_name}`);
  await expect(list).toContainText(
    `${payer} requires a BCBA; ${therapist.display_name} counts as an RBT on that date.`,
  );
  await expectAccessibleInBothThemes(page, 'sessions that a payer would not pay for');
  await broken.getByRole('button', { name: 'Keep editing' }).click();
  await expect(broken).toHaveCount(0);
  await expect(form.getByRole('status')).toHaveText('');
  await form.getByRole('button', { name: 'Save', exact: false }).click();
  await broken.getByRole('button', { name: 'Save and find cover' }).click();
  await expect(page.getByText('1 session needs cover.', { exact: false })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/calendar\\?.*date=${date}`));
  const { appointments } = await api.slots(date, therapist.location);
  expect(appointments.find((each) => each['Client Name'] === client.display_name)).toMatchObject({
    Preferred_Provider_Name: 'Unassigned',
  });
});
