import {
  auditorEndpoints,
  calendarEndpoints,
  closuresEndpoints,
  historyEndpoints,
  leaveEndpoints,
  ledgersEndpoints,
  profilesEndpoints,
  type PersonHistory,
  type SessionReply,
} from '@clinic/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { MORNING } from '../testing/calendar.tsx';
import type { Replies } from '../testing/components.tsx';
import { openPage } from '../testing/pages.tsx';

const HISTORY: PersonHistory = {
  from: '2026-10-21',
  until: '2026-11-17',
  continuity: { people: 2, minutes: 600, team: 540 },
  met: [
    {
      id: 'T-1',
      name: 'Ana Ruiz',
      credential: 'RBT',
      team: true,
      is_new: false,
      days: ['2026-10-28', '2026-11-04', '2026-11-11'].map((date) => ({ date, minutes: 180 })),
      last: '2026-11-11',
    },
    {
      id: 'T-2',
      name: 'Kai Wood',
      credential: 'BCBA',
      team: false,
      is_new: true,
      days: [{ date: '2026-11-12', minutes: 60 }],
      last: '2026-11-12',
    },
  ],
  lines: [{ at: '2026-11-18T11:00:00Z', by: 'Dana Reyes', words: 'Booked with Kai Wood, and 2 more' }],
};

const BO = {
  id: 'Bo Lee',
  version: 3,
  first_name: 'Bo',
  last_name: 'Lee',
  display_name: 'Bo Lee',
  location: 'altamonte',
  gender: 'Male',
  restrictions: [{ type: 'gender', restriction: 'female' }],
  needs: [{ tag: 'Spanish', must: true }],
  authorizations: [],
  contacts: [
    {
      name: 'Eva Lee',
      relation: 'Mother',
      phone: '(407) 555-0163',
      dial: '+14075550163',
      email: '',
      language: '',
      preferred: '',
    },
  ],
};
const care = { id: 'Bo Lee', name: 'Bo Lee', booked: 660, delivered: 600, billable: 600, lost: 60, made_up: 0 };

const openBo = (more: Replies = [], session: Partial<SessionReply> = {}) =>
  openPage('/people/clients/Bo%20Lee', {
    session,
    replies: [
      ...more,
      [profilesEndpoints.getClient, BO],
      [profilesEndpoints.listTherapists, []],
      [historyEndpoints.personHistory, HISTORY],
      [calendarEndpoints.slots, MORNING],
      [closuresEndpoints.listClosures, []],
      [leaveEndpoints.listLeave, []],
      [
        ledgersEndpoints.care,
        {
          from: '',
          until: '',
          off: [],
          rows: [
            {
              ...care,
              priority: 100,
              by_hand: false,
              lost_by: [{ cause: 'x', label: 'Illness', minutes: 60 }],
              authorized: null,
            },
          ],
        },
      ],
      [
        ledgersEndpoints.authorizations,
        {
          lapsed: [],
          off: [],
          rows: [
            {
              id: '1',
              client_id: 'Bo Lee',
              name: 'Bo Lee',
              payer: 'Acme',
              code: '97153',
              number: '',
              from_date: '2026-01-01',
              until_date: '2026-12-31',
              period: 'total',
              authorized: 6000,
              delivered: 4500,
              prior: null,
              left: 1500,
            },
          ],
        },
      ],
    ],
  });

test('a client’s page shows the week, the team with its hours, contacts, needs, and what is left and lost', async () => {
  await openBo();
  await expect.element(page.getByRole('heading', { name: 'Bo Lee', level: 1 })).toBeVisible();
  await expect.element(page.getByRole('grid', { name: /^Bo Lee, week of Monday/ })).toBeVisible();
  await expect.element(page.getByText('2 people in four weeks, 90% of 10 h with the team')).toBeVisible();
  const team = page.getByRole('table', { name: /^From Wednesday, October 21/ });
  await expect.element(team.getByRole('row', { name: /^Ana Ruiz RBT team .*9 h Wed, Nov 11/ })).toBeVisible();
  await expect.element(team.getByRole('row', { name: /^Kai Wood BCBA known, first met in these weeks/ })).toBeVisible();
  expect(team.getByRole('link', { name: 'Kai Wood' }).element().getAttribute('href')).toBe('/people/therapists/T-2');
  await expect.element(page.getByRole('link', { name: 'Call (407) 555-0163' })).toBeVisible();
  await expect.element(page.getByText('Must have Spanish')).toBeVisible();
  await expect.element(page.getByText('25 h of 100 h in total left')).toBeVisible();
  await expect.element(page.getByText('Lost: Illness')).toBeVisible();
  await expect
    .element(page.getByRole('listitem').filter({ hasText: 'Booked with Kai Wood, and 2 more' }))
    .toMatchTextContent('6:00 AM, Dana Reyes');
});

test('Edit opens the form at once, and Close leads back to the page', async () => {
  await openBo();
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Bo Lee' });
  await expect.element(form.getByLabelText('First name')).toHaveValue('Bo');
  await expect.element(form.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  await form.getByRole('button', { name: 'Close' }).click();
  await expect.element(form).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { name: 'Bo Lee', level: 1 })).toBeVisible();
});

test('given someone who cannot be shown, the page says so and asserts nothing about them', async () => {
  await openBo([[profilesEndpoints.getClient, () => Response.json({ detail: 'No such client.' }, { status: 404 })]]);
  await expect.element(page.getByText('Failed to load the profile. Please try again.')).toBeVisible();
  expect(page.getByText(/No session|Nothing changed/).query()).toBeNull();
});

test('given a part that cannot be loaded, the rest stays', async () => {
  await openBo([[historyEndpoints.personHistory, () => new Response('', { status: 500 })]]);
  await expect.element(page.getByText('Failed to load the team and the history. Please try again.')).toBeVisible();
  await expect.element(page.getByText('Must have Spanish')).toBeVisible();
});

const SEAL = `3:120:${'a'.repeat(64)}`;
const zip = () =>
  new Response(`PK\x05\x06${'\0'.repeat(18)}`, {
    headers: { 'Content-Type': 'application/zip', 'Content-Length': '22', 'X-Seal': SEAL },
  });

test('File for an auditor asks for last month, refuses a wrong range, and shows the seal of the download', async () => {
  const { requests } = await openBo([[auditorEndpoints.makeAuditorFile, zip]]);
  await page.getByRole('button', { name: 'File for an auditor' }).click();
  const form = page.getByRole('dialog', { name: 'File for an auditor: Bo Lee' });
  await expect.element(form.getByLabelText('From')).toHaveValue('2026-10-01');
  await expect.element(form.getByLabelText('To')).toHaveValue('2026-10-31');
  await form.getByLabelText('To').fill('2026-09-30');
  await expect.element(form.getByText('The last day is before the first.')).toBeVisible();
  await form.getByLabelText('To').fill('2027-10-02');
  await expect.element(form.getByText('A file covers at most a year.')).toBeVisible();
  await form.getByLabelText('To').fill('2026-10-15');
  await form.getByRole('button', { name: 'Download' }).click();
  await expect.element(form.getByText('Downloaded: auditor Bo Lee 2026-10-01 to 2026-10-15.zip.')).toBeVisible();
  await expect.element(form.getByText(SEAL)).toBeVisible();
  expect(requests.map(({ body }) => body)).toContainEqual({ client: 'Bo Lee', from: '2026-10-01', to: '2026-10-15' });
});

test('given a file that broke off, the dialog says that nothing was downloaded', async () => {
  await openBo([[auditorEndpoints.makeAuditorFile, () => new Response('<html>', { status: 200 })]]);
  await page.getByRole('button', { name: 'File for an auditor' }).click();
  await page.getByRole('button', { name: 'Download' }).click();
  await expect.element(page.getByText(/^The file was not downloaded\./)).toBeVisible();
});

test('given an account that only reads, the page has no file for an auditor', async () => {
  await openBo([], { account: { id: 'd', email: 'd@clinic.example', name: 'Dee', role: 'director', locations: null } });
  await expect.element(page.getByText('Must have Spanish')).toBeVisible();
  expect(page.getByRole('button', { name: 'File for an auditor' }).query()).toBeNull();
});
