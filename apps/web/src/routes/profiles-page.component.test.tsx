// This file is over 250 lines because it holds every way in which a profile is not loaded, not saved or not deleted.
import { profilesEndpoints, TEXTS, type Client, type Therapist } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Replies } from '../testing/components.tsx';
import { openPage } from '../testing/pages.tsx';

const { getTherapist, updateTherapist, checkTherapist, deleteTherapist, createClient, getClient } = profilesEndpoints;

const WREN: Therapist = {
  id: 'T-1',
  display_name: 'Wren Ashby',
  version: 1,
  first_name: 'Wren',
  last_name: 'Ashby',
  location: 'tampa',
  gender: 'Female',
  specialization: 'RBT',
  start_date: '2025-02-03',
  end_date: null,
  week_hours: null,
  day_hours: null,
  guaranteed_hours: null,
  consistency: null,
  availability: [{ id: 'a', day_of_week: 1, start_time: '08:00', end_time: '12:00' }],
  credentials: [],
  tags: [],
  contacts: [],
};
const JOSÉ: Therapist = { ...WREN, id: 'T-2', display_name: 'José Nuñez', first_name: 'José', last_name: 'Nuñez' };
const PIP: Client = {
  id: 'C-1',
  display_name: 'Pip Sorrel',
  version: 1,
  first_name: 'Pip',
  last_name: 'Sorrel',
  location: 'orlando',
  gender: 'Male',
  care_team_only: false,
  rbt_or_above: false,
  two_to_one: false,
  likes: '',
  helps: '',
  avoid: '',
  priority: 100,
  end_date: null,
  restrictions: [],
  needs: [],
  authorizations: [],
  contacts: [],
};

const FITS = { total: 0, sessions: [] };
const stuck = (status: number) => () => Response.json({ detail: 'The drawer is stuck.' }, { status });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const cards = () => page.getByRole('list', { name: /^(Therapists|Clients)$/ }).getByRole('listitem');

const card = (name: string) => cards().getByRole('button', { name: new RegExp(`^${name}`) });

/** Opens the profiles; `replies` come before those of a clinic with two therapists and one client. */
const open = (...replies: Replies) =>
  openPage('/profiles', {
    replies: [
      ...replies,
      [profilesEndpoints.listTherapists, [WREN, JOSÉ]],
      [profilesEndpoints.listClients, [PIP]],
      [getTherapist, WREN],
      [getClient, PIP],
      [checkTherapist, FITS],
    ],
  });

/** Opens a profile to edit it. */
async function edit(kind: 'Therapists' | 'Clients', name: string, ...replies: Replies) {
  const opened = await open(...replies);
  await page.getByRole('button', { name: kind, exact: true }).click();
  await card(name).click();
  const form = dialog(name);
  await form.getByRole('button', { name: 'Edit' }).click();
  return { ...opened, form, save: form.getByRole('button', { name: 'Save Changes' }), alert: form.getByRole('alert') };
}

test('[PROF-01] [PROF-02] profiles have a toggle, a search, cards with full name and location, and an empty state', async () => {
  let release = (): void => undefined;
  const held = new Promise<Therapist[]>((resolve) => (release = () => resolve([WREN, JOSÉ])));
  await open([profilesEndpoints.listTherapists, () => held]);
  await expect.element(page.getByRole('status', { name: 'Loading therapists' })).toBeVisible();
  release();
  await expect.poll(() => cards().elements().length).toBe(2);
  await expect.element(button('Therapists')).toHaveAttribute('aria-pressed', 'true');
  await expect.element(button('Add Therapist')).toBeVisible();
  await expect.element(card('Wren Ashby')).toMatchTextContent('Tampa');
  const search = page.getByPlaceholder('Search therapists...');
  await search.fill('NUNEZ');
  await expect.poll(() => cards().elements().length).toBe(1);
  await expect.element(cards()).toMatchTextContent('José Nuñez');
  await search.fill('nobody is called this');
  await expect.element(page.getByText('No profiles found')).toBeVisible();
  await page.getByRole('button', { name: 'Clients', exact: true }).click();
  await expect.element(page.getByPlaceholder('Search clients...')).toHaveValue('');
  await expect.element(button('Add Client')).toBeVisible();
  await expect.poll(() => cards().elements().length).toBe(1);
});

test('[PROF-11] a list that cannot be loaded is reported with the specification’s messages, and loads on Try again', async () => {
  let clients: unknown = stuck(500)();
  await open([profilesEndpoints.listTherapists, stuck(401)], [profilesEndpoints.listClients, () => clients]);
  const notice = page.getByRole('alert');
  await expect.element(notice).toMatchTextContent(`Failed to load therapists. ${TEXTS.authFailed}`);
  await expect.element(notice).toMatchTextContent(/valid credentials/);
  await page.getByRole('button', { name: 'Clients', exact: true }).click();
  await expect.element(notice).toMatchTextContent('Failed to load clients. The drawer is stuck.');
  clients = [PIP];
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => cards().elements().length).toBe(1);
});

test('[PROF-10] [PROF-11] a profile that cannot be loaded, saved or deleted is reported with the specification’s messages', async () => {
  let [one, saved]: unknown[] = [stuck(404)(), stuck(500)()];
  const { requests } = await open(
    [getTherapist, () => one],
    [updateTherapist, () => saved],
    [deleteTherapist, stuck(500)],
  );
  await card('Wren Ashby').click();
  const view = dialog('Wren Ashby');
  const alert = view.getByRole('alert');
  await expect.element(alert).toMatchTextContent('Could not load profile details. The drawer is stuck.');
  one = WREN;
  await view.getByRole('button', { name: 'Try again' }).click();
  await expect.element(alert).not.toBeInTheDocument();
  await view.getByRole('button', { name: 'Edit' }).click();
  const save = view.getByRole('button', { name: 'Save Changes' });
  await save.click();
  await expect.element(alert).toMatchTextContent('Failed to save profile: The drawer is stuck.');
  saved = stuck(401)();
  await save.click();
  await expect.element(alert).toMatchTextContent(`Failed to save profile: ${TEXTS.authFailed}`);
  await expect.element(alert).toMatchTextContent(/valid credentials/);
  await expect.element(alert.getByRole('button', { name: 'Log in' })).toBeVisible();
  // Without a token nothing is sent.
  const [token, sent] = [localStorage.getItem('access_token') ?? '', requests.length];
  localStorage.removeItem('access_token');
  await save.click();
  await expect.element(alert).toMatchTextContent(`Failed to save profile: ${TEXTS.authRequired}`);
  expect(requests).toHaveLength(sent);
  localStorage.setItem('access_token', token);
  await view.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog', { name: TEXTS.deleteConfirm }).getByRole('button', { name: 'Delete' }).click();
  await expect
    .element(page.getByRole('alertdialog', { name: 'Failed to delete therapist: The drawer is stuck.' }))
    .toBeVisible();
});

test('[PROF-11] [PROF-12] given null for a saved or deleted profile, no page says that it worked', async () => {
  const nothing = () => Response.json(null);
  const { form, save, alert } = await edit(
    'Therapists',
    'Wren Ashby',
    [updateTherapist, nothing],
    [deleteTherapist, nothing],
  );
  await form.getByLabelText('First name').fill('Wrenna');
  await save.click();
  await expect
    .element(alert)
    .toMatchTextContent(
      `${TEXTS.saveFailed} The server’s reply could not be read. It may have been saved. Check the profile before trying again.`,
    );
  expect(document.body.innerText).not.toContain(TEXTS.updated);
  await form.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText(new RegExp(TEXTS.deleteFailed))).toBeVisible();
  await expect
    .element(page.getByText(/Wren Ashby may have been deleted\. Check the list before trying again\./))
    .toBeVisible();
  expect(document.body.innerText).not.toContain(TEXTS.deleted);
});

test('when saving a new profile gets no reply, the page says to check the list before trying again', async () => {
  await open([createClient, null]);
  await page.getByRole('button', { name: 'Clients', exact: true }).click();
  await button('Add Client').click();
  const form = dialog('New client');
  await form.getByLabelText('First name').fill('Tam');
  await form.getByLabelText('Last name').fill('Unheard');
  await form.getByLabelText('Gender').selectOptions('Female');
  await form.getByLabelText('Location').selectOptions('Tampa');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect
    .element(form.getByRole('alert'))
    .toMatchTextContent(
      `${TEXTS.saveFailed} The server did not reply. It may have been saved. Check the list before trying again.`,
    );
});

test('a restriction that is chosen but not added is an unsaved change', async () => {
  const { form } = await edit('Clients', 'Pip Sorrel');
  await form.getByLabelText('Restriction').selectOptions('Gender');
  await form.getByLabelText('Value').selectOptions('Only male');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByText('Discard changes').click();
  await expect.element(form).not.toBeInTheDocument();
});

test('when the server refuses a field, the message names the field and appears beside it', async () => {
  const { form, save, alert } = await edit('Therapists', 'Wren Ashby', [
    updateTherapist,
    () => Response.json({ detail: 'first_name: is longer than 80 characters' }, { status: 422 }),
  ]);
  const first = form.getByLabelText('First name');
  await first.fill('a'.repeat(81));
  await save.click();
  await expect.element(alert).toMatchTextContent(`${TEXTS.saveFailed} First name: is longer than 80 characters`);
  await expect.element(first).toHaveAccessibleDescription('Is longer than 80 characters');
  await expect.element(first).toHaveFocus();
  await first.fill('Wren');
  await expect.element(first).not.toHaveAttribute('aria-invalid');
  await form.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.element(form).not.toBeInTheDocument();
});

test('when someone else saved first, nothing is overwritten, the edits stay, and both versions are offered', async () => {
  const newer: Therapist = { ...WREN, version: 2, specialization: 'BT' };
  const stale = () => Response.json({ detail: { text: 'Someone else saved first.', version: 2 } }, { status: 409 });
  let [stored, reply]: [Therapist, () => unknown] = [WREN, stale];
  const { form, save, requests } = await edit(
    'Therapists',
    'Wren Ashby',
    [getTherapist, () => stored],
    [updateTherapist, () => reply()],
  );
  await form.getByLabelText('Gender').selectOptions('Male');
  stored = newer;
  await save.click();
  const asked = page.getByRole('alertdialog', { name: 'Someone else saved Wren Ashby in the meantime.' });
  await expect.element(asked).toMatchTextContent('What they changedSpecialization');
  await expect.element(asked).toMatchTextContent('What you changedGender');
  await asked.getByRole('button', { name: 'Keep editing' }).click();
  // The first question closes for a moment; what is asked afterwards is about the second save.
  await expect.element(asked).not.toBeInTheDocument();
  await expect.element(form.getByLabelText('Gender')).toHaveValue('Male');
  await save.click();
  // The dialog shows that the second save was refused too; only then may a save succeed.
  await expect.element(asked).toBeVisible();
  reply = () => ({ ...newer, gender: 'Male', version: 3 });
  await asked.getByRole('button', { name: 'Save mine' }).click();
  await expect.element(page.getByText(TEXTS.updated)).toBeVisible();
  expect(requests.at(-1)?.body).toMatchObject({ gender: 'Male', specialization: 'BT', version: 2 });
});

test('while a profile is being saved, Escape asks nothing, and the dialog closes when the reply comes', async () => {
  let answer = (): void => undefined;
  const held = new Promise((resolve) => (answer = () => resolve(FITS)));
  const { form, save } = await edit(
    'Therapists',
    'Wren Ashby',
    [checkTherapist, () => held],
    [updateTherapist, { ...WREN, version: 2 }],
  );
  await form.getByLabelText('First name').fill('Wrenna');
  await save.click();
  await expect
    .element(form.getByRole('button', { name: 'Close', exact: true }))
    .toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  await expect.element(form).toBeVisible();
  answer();
  await expect.element(page.getByText(TEXTS.updated)).toBeVisible();
  await expect.element(form).not.toBeInTheDocument();
});
