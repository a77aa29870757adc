import { expect, type Page } from '@playwright/test';
import { DEMO, signedIn } from '../fixtures/test.ts';

const CLIENTS = 'id,first_name,last_name,location,gender,restrictions';
export const APPOINTMENTS =
  'Id,StartDateTime,EndDateTime,Subject,Preferred_Provider_Name,Appointment_Status,Client Name,Location';
export const csv = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\n')}\n`),
});
export const clients = (...rows: string[]) => csv('clients.csv', CLIENTS, ...rows);
export const choose = (page: Page, kind: 'therapists' | 'clients' | 'appointments', file: ReturnType<typeof csv>) =>
  page.getByLabel(`${kind} file`).setInputFiles(file);
export const check = (page: Page) => page.getByRole('button', { name: 'Check the files' }).click();
/** Presses a button and waits for the server's reply, which may take minutes on a busy machine. */
export async function replied(page: Page, button: string): Promise<void> {
  const reply = page.waitForResponse('**/api/imports**');
  await page.getByRole('button', { name: button }).click();
  await (await reply).finished();
}
export const checked = (page: Page): Promise<void> => replied(page, 'Check the files');

export async function open(page: Page): Promise<void> {
  await signedIn(page, DEMO.admin);
  await page.goto('/import');
  await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible();
}
