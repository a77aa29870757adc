import { recordsEndpoints, type ServiceAccount, type Webhook } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../shared/api/query-client.ts';
import { openPage } from '../testing/pages.tsx';

const { listServiceAccounts, listWebhooks, addServiceAccount, changeServiceAccount, addWebhook, replayWebhook } =
  recordsEndpoints;
const ADMIN = {
  account: { id: 'someone', email: 'a@clinic.example', name: 'Ada', role: 'admin' as const, locations: null },
};
const PROGRAM: ServiceAccount = {
  id: '5f7f7f3e-0000-4000-8000-000000000001',
  name: 'Warehouse',
  scopes: ['fhir.read'],
  locations: ['tampa'],
  keys: ['thumb'],
  made_at: '2026-11-01T12:00:00Z',
  used_at: null,
  disabled: false,
  version: 3,
};
const WEBHOOK: Webhook = {
  id: '5f7f7f3e-0000-4000-8000-000000000002',
  url: 'https://hooks.example/in',
  events: ['day.changed'],
  locations: null,
  disabled: true,
  disabled_why: 'Nothing could be delivered for five days.',
  failing_since: '2026-11-01T12:00:00Z',
  waiting: 2,
  failed: 1,
  fault: 'The address replied with 500.',
  version: 1,
};

test('without programs and webhooks, the page says what they are for; webhooks that cannot be loaded are said', async () => {
  let status = 200;
  await openPage('/programs', {
    session: ADMIN,
    replies: [
      [listServiceAccounts, []],
      [listWebhooks, () => (status === 200 ? Response.json([]) : new Response('', { status }))],
    ],
  });
  await expect.element(page.getByRole('heading', { name: 'No other program reads the calendar' })).toBeVisible();
  status = 500;
  await queryClient.invalidateQueries();
  await expect.element(page.getByText('the webhooks', { exact: false })).toBeVisible();
});

test('an administrator lets a program read with its public key, and the list shows its client id', async () => {
  let rows: ServiceAccount[] = [];
  const { requests } = await openPage('/programs', {
    session: ADMIN,
    replies: [
      [listServiceAccounts, () => Response.json(rows)],
      [listWebhooks, []],
      [addServiceAccount, () => Response.json((rows = [PROGRAM])[0], { status: 201 })],
    ],
  });
  await page.getByRole('button', { name: 'Add Program' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabelText('Name').fill('Warehouse');
  await dialog.getByLabelText('All locations').click();
  await dialog.getByLabelText('Tampa').click();
  await dialog.getByLabelText('Which records have changed').click();
  await dialog.getByLabelText('Public key', { exact: false }).fill('{"kty":"EC"}');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(page.getByText(PROGRAM.id)).toBeVisible();
  expect(requests[0]?.body).toEqual({
    name: 'Warehouse',
    scopes: ['fhir.read'],
    locations: ['tampa'],
    keys: '{"kty":"EC"}',
  });
});

test('a program is ended with its version, and keeps its keys unless new ones are given', async () => {
  const { requests } = await openPage('/programs', {
    session: ADMIN,
    replies: [
      [listServiceAccounts, [PROGRAM]],
      [listWebhooks, []],
      [changeServiceAccount, { ...PROGRAM, disabled: true }],
    ],
  });
  await page.getByRole('button', { name: 'Edit Warehouse' }).click();
  await page.getByLabelText('Ended', { exact: false }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect
    .poll(() => requests[0]?.body)
    .toEqual({
      name: 'Warehouse',
      scopes: ['fhir.read'],
      locations: ['tampa'],
      disabled: true,
      version: 3,
    });
});

test('a new webhook shows its secret once; one that failed says why, and sends again what was given up', async () => {
  const { requests } = await openPage('/programs', {
    session: ADMIN,
    replies: [
      [listServiceAccounts, []],
      [listWebhooks, [WEBHOOK]],
      [addWebhook, () => Response.json({ webhook: WEBHOOK, secret: 'whsec_abc' }, { status: 201 })],
      [replayWebhook, { deliveries: 1 }],
    ],
  });
  await expect.element(page.getByText('Nothing could be delivered for five days.')).toBeVisible();
  await expect.element(page.getByText('2 waiting, 1 given up', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: `Send Again to ${WEBHOOK.url}` }).click();
  await expect.element(page.getByText('1 message is sent again', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Add Webhook' }).click();
  await page.getByLabelText('Address').fill('https://hooks.example/two');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Secret' })).toHaveValue('whsec_abc');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.element(page.getByText('whsec_abc')).not.toBeInTheDocument();
  expect(requests.map(({ path }) => path)).toEqual([`/webhooks/${WEBHOOK.id}/replay`, '/webhooks']);
});
