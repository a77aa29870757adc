import { expect, type Locator, type Page } from '@playwright/test';
import type { Therapist } from '@clinic/contract';
import { signedIn } from '../fixtures/test.ts';
import type { Api } from '../fixtures/api.ts';

export const cards = (page: Page): Locator =>
  page.getByRole('list', { name: /^(Therapists|Clients)$/ }).getByRole('listitem');
export const card = (page: Page, name: string): Locator => cards(page).getByRole('button', { name });
/** A button in the modal's own footer, not in the footer of an alert above the modal. */
export const foot = (dialog: Locator, name: string | RegExp): Locator =>
  dialog.locator(':scope > footer').getByRole('button', { name });
export const modal = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });

export async function openProfiles(page: Page, kind: 'Therapists' | 'Clients' = 'Therapists'): Promise<void> {
  await page.goto('/profiles');
  await page.getByRole('button', { name: kind, exact: true }).click();
  await cards(page).first().waitFor();
}

/** Logs in, finds a person by name and starts editing their profile; returns the modal. */
export async function editProfile(page: Page, kind: 'Therapists' | 'Clients', name: string): Promise<Locator> {
  await signedIn(page);
  await openProfiles(page, kind);
  await page.getByPlaceholder(`Search ${kind.toLowerCase()}...`).fill(name);
  await card(page, name).click();
  await modal(page, name).getByRole('button', { name: 'Edit' }).click();
  return modal(page, name);
}

/** Adds a therapist that no other test uses. */
export async function newTherapist(api: Api, last: string): Promise<Therapist> {
  const reply = await api.send<Therapist>('POST', '/therapists', {
    first_name: 'Wren',
    last_name: last,
    location: 'tampa',
    specialization: 'RBT',
    gender: 'Female',
    start_date: '2025-02-03',
    availability: [{ day_of_week: 2, start_time: '08:00', end_time: '12:00' }],
  });
  expect(reply.status).toBe(201);
  return reply.body;
}
