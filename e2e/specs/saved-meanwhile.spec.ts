import type { Account, Cause, Client } from '@clinic/contract';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test('when another administrator changed an account first, nothing is overwritten, and both changes can be kept', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409.*accounts/);
  const api = await Api.signIn(request, DEMO.admin);
  const fields = { email: 'opal@clinic.example', name: 'Opal Reed', role: 'scheduler', locations: ['tampa'] } as const;
  const account = await api.addAccount({ ...fields, password: 'nine quiet boats go home' });
  await signedIn(page, DEMO.admin);
  await page.goto('/accounts');
  await page.getByRole('button', { name: 'Edit Opal Reed' }).click();
  const edit = page.getByRole('dialog', { name: 'Opal Reed' });
  await edit.getByLabel('Name').fill('Opal Reed-Marsh');
  const meanwhile = page.getByRole('alertdialog', { name: 'Someone else saved Opal Reed in the meantime.' });
  const change = async (locations: string[]): Promise<void> => {
    expect((await api.send('PUT', `/accounts/${account.id}`, { ...fields, locations })).status).toBe(200);
  };

  await change(['tampa', 'deerfield']);
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(meanwhile.getByRole('definition')).toHaveText(['Locations', 'Name']);
  await expectAccessibleInBothThemes(page, 'an account that someone else has saved');
  await meanwhile.getByRole('button', { name: 'Load their version' }).click();
  await expect(edit.getByLabel('Name')).toHaveValue('Opal Reed');
  await expect(edit.getByLabel('Deerfield')).toBeChecked();

  await edit.getByLabel('Name').fill('Opal Marsh');
  await change(['orlando']);
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await meanwhile.getByRole('button', { name: 'Save mine' }).click();
  await expect(edit).toBeHidden();
  const accounts = await api.get<Account[]>('/accounts');
  expect(accounts.find(({ id }) => id === account.id)).toMatchObject({ name: 'Opal Marsh', locations: ['orlando'] });
});

test('when another administrator changed a cause first, nothing is overwritten, and both changes can be kept', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409.*causes/);
  const api = await Api.signIn(request, DEMO.admin);
  const { body: made } = await api.send<Cause[]>('POST', '/causes', { label: 'Power cut', lost_by: null });
  const id = made.find(({ label }) => label === 'Power cut')?.id ?? '';
  await signedIn(page, DEMO.admin);
  await page.goto('/causes');
  await page.getByRole('button', { name: 'Edit Power cut' }).click();
  const edit = page.getByRole('dialog', { name: 'Power cut' });
  await edit.getByLabel('Reason', { exact: true }).fill('Power failure');
  expect((await api.send('PUT', `/causes/${id}`, { label: 'Power cut', lost_by: 'clinic' })).status).toBe(200);
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  const meanwhile = page.getByRole('alertdialog', { name: 'Someone else saved Power cut in the meantime.' });
  await expect(meanwhile.getByRole('definition')).toHaveText(['Usually caused by', 'Reason']);
  await meanwhile.getByRole('button', { name: 'Keep editing' }).click();
  await expect(edit.getByLabel('Reason', { exact: true })).toHaveValue('Power failure');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await meanwhile.getByRole('button', { name: 'Save mine' }).click();
  await expect(edit).toBeHidden();
  const causes = await api.get<Cause[]>('/causes');
  expect(causes.find((cause) => cause.id === id)).toMatchObject({ label: 'Power failure', lost_by: 'clinic' });
  expect((await api.send('DELETE', `/causes/${id}`)).status).toBe(200);
});

test('when someone else changed a session first, nothing is overwritten, and both changes can be kept', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409.*appointments/);
  const api = await Api.signIn(request);
  const date = await api.ownDay('saved meanwhile');
  const [{ display_name: client = '' } = {}] = await api.get<Client[]>('/clients?location=tampa');
  const fields = { location: 'tampa', client, therapist: null, date, start: '09:00', end: '10:00' };
  const made = await api.send<{ key: string }[]>('POST', '/appointments', { ...fields, subject: 'Direct Therapy' });
  const path = `/appointments/${made.body[0]?.key}`;
  const change = async (changed: object): Promise<void> => {
    const reply = await api.send('PUT', path, { ...fields, subject: 'Direct Therapy', ...changed });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  };
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open(`?location=tampa&date=${date}&view=client`);
  const edit = await calendar.openSession(client, /9:00 AM - 10:00 AM/);
  const to = edit.getByLabel('To', { exact: true });
  const save = edit.getByRole('button', { name: 'Save Changes' });
  const meanwhile = page.getByRole('alertdialog', {
    name: `Someone else saved the session with ${client} in the meantime.`,
  });
  await to.fill('10:30');
  await change({ subject: 'Assessment' });
  await save.click();
  await expect(meanwhile.getByRole('definition')).toHaveText(['Subject', 'To']);
  await meanwhile.getByRole('button', { name: 'Keep editing' }).click();
  await expect(to).toHaveValue('10:30');
  await save.click();
  await meanwhile.getByRole('button', { name: 'Save mine' }).click();
  await expect(edit).toBeHidden();
  const stored = async () =>
    (await api.slots(date, 'tampa')).appointments.find((each) => each['Client Name'] === client);
  const both = await stored();
  expect([both?.Subject, both?.EndDateTime]).toEqual(['Assessment', expect.stringMatching(/10:30 AM$/)]);

  await calendar.openSession(client, /9:00 AM - 10:30 AM/);
  await to.fill('10:45');
  await change({ end: '11:15' });
  await save.click();
  await meanwhile.getByRole('button', { name: 'Load their version' }).click();
  await expect(to).toHaveValue('11:15');
  await page.keyboard.press('Escape');
  await expect(edit).toBeHidden();
  expect((await stored())?.EndDateTime).toMatch(/11:15 AM$/);
});
