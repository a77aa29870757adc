import { expect, type Locator, type Page } from '@playwright/test';
import type { Client, Therapist } from '@clinic/contract';
import { addDays, dayOfWeek, isoDate, type IsoDate, type Location } from '@clinic/domain';
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

interface Where {
  location?: Location;
  date?: IsoDate;
}

/**
 * Adds a therapist that no other test uses, available from 8 to 12 on `date` and a week later. Without a date, the
 * therapist was available only in the past, so they do not appear in other tests.
 */
export async function newTherapist(
  api: Api,
  last: string,
  { location = 'tampa', date = isoDate('2025-02-04'), skill }: Where & { skill?: string | undefined } = {},
): Promise<Therapist> {
  const valid = { from_date: date, until_date: addDays(date, 7) };
  const reply = await api.send<Therapist>('POST', '/therapists', {
    first_name: 'Wren',
    last_name: last,
    location,
    specialization: 'RBT',
    gender: 'Female',
    start_date: '2025-02-03',
    availability: [{ day_of_week: dayOfWeek(date), start_time: '08:00', end_time: '12:00', ...valid }],
    tags: skill === undefined ? [] : [{ tag: skill }],
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

/**
 * Adds a therapist and a client (with the fields `more`) that no other test uses, and books them for nine o'clock. With
 * a `skill`, the therapist has this skill and the client needs it.
 */
export async function bookedPair(
  api: Api,
  last: string,
  { location, date }: Required<Where>,
  { more = {}, weekly_until, skill }: { more?: object; weekly_until?: IsoDate; skill?: string } = {},
): Promise<{ therapist: Therapist; client: Client; key: string }> {
  const therapist = await newTherapist(api, last, { location, date, skill });
  const person = { first_name: 'Otto', last_name: last, location, gender: 'Male', ...more };
  const needs = skill === undefined ? [] : [{ tag: skill, must: true }];
  const { body: client } = await api.send<Client>('POST', '/clients', { needs, ...person });
  const names = { client: client.display_name, therapist: therapist.display_name };
  const times = { date, start: '09:00', end: '10:00', subject: 'Direct Therapy', weekly_until };
  const booked = await api.send<{ key: string }[]>('POST', '/appointments', { location, ...names, ...times });
  expect(booked.status, JSON.stringify(booked.body)).toBe(201);
  return { therapist, client, key: booked.body[0]?.key ?? '' };
}
