import type { Client, Therapist } from '@clinic/contract';
import { expectAccessible } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/test.ts';
import { card, editProfile, modal, newTherapist } from '../pages/profiles.ts';
import { Api } from '../fixtures/api.ts';

test('a skill with dates is added, checked, saved and shown, and a removed skill is gone @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const wren = await newTherapist(api, 'Skillman');
  const view = await editProfile(page, 'Therapists', wren.display_name);
  await view.getByRole('button', { name: 'Add a skill' }).click();
  const first = view.getByRole('group', { name: 'Skills, entry 1' });
  await expect(first.getByRole('textbox', { name: 'Skill' })).toBeFocused();
  await page.keyboard.type('Spanish');
  await view.getByRole('button', { name: 'Add a skill' }).click();
  const second = view.getByRole('group', { name: 'Skills, entry 2' });
  await second.getByRole('textbox', { name: 'Skill' }).fill('CPI');
  await second.getByLabel('From').fill('2026-02-01');
  await second.getByLabel('Until').fill('2026-01-31');
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await expect(second.getByText('Must not be before “From”')).toBeVisible();
  await second.getByLabel('Until').fill('2026-12-31');
  await expectAccessible(page, 'skills being edited');
  await view.getByRole('button', { name: 'Remove entry 1 of skills' }).click();
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await expect(view).toBeHidden();

  expect((await api.get<Therapist>(`/therapists/${wren.id}`)).tags).toEqual([
    { tag: 'CPI', from_date: '2026-02-01', until_date: '2026-12-31' },
  ]);
  await card(page, wren.display_name).click();
  const words = modal(page, wren.display_name).getByRole('list', { name: 'Skills' });
  // For an RBT without credential dates, the profile says that the rule is off.
  await expect(modal(page, wren.display_name)).toContainText('Not checked: no dates entered.');
  await expect(words).toHaveText('CPI (from February 1, 2026 until December 31, 2026)');
});

test('a client’s need is added, and shown with how much it matters @detail', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const body = { first_name: 'Needy', last_name: 'Skillman', location: 'tampa', gender: 'Male', restrictions: [] };
  const { body: made } = await api.send<Client>('POST', '/clients', body);
  const view = await editProfile(page, 'Clients', made.display_name);
  await view.getByRole('button', { name: 'Add a need' }).click();
  const first = view.getByRole('group', { name: 'Needs, entry 1' });
  await first.getByLabel('Skill needed').fill('Spanish');
  await first.getByLabel('Importance').selectOption('Nice to have');
  await view.getByLabel(/^Priority/).fill('150');
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await expect(view).toBeHidden();
  await card(page, made.display_name).click();
  const shown = modal(page, made.display_name);
  await expect(shown.getByRole('list', { name: 'Needs' })).toHaveText('Nice to have Spanish');
  await expect(shown).toContainText('Not checked: no authorization entered.');
  await expect(shown).toContainText('150 (100 is usual), set by hand');
});
