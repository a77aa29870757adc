import { adminEndpoints, type Account } from '@clinic/contract';
import { DEFAULT_LOCATIONS, locationToSend } from '@clinic/domain';
import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { takeLocations } from '../../../shared/clinic-locations.ts';
import { saveOwnLocations } from '../../../shared/storage/keys.ts';
import { serve, show, type Replies } from '../../../testing/components.tsx';
import { AccountDialog } from './account-dialog.tsx';

const { createAccount, updateAccount } = adminEndpoints;
const NORA: Account = {
  id: '00000000-0000-4000-8000-000000000001',
  email: 'nora@clinic.example',
  name: 'Nora Field',
  role: 'admin',
  locations: null,
  disabled: false,
  version: '1',
};
const refusal = (detail: string, field?: string) =>
  Response.json({ detail, ...(field && { errors: [{ field, text: detail }] }) }, { status: 422 });

async function open(account: Account | null, ...replies: Replies) {
  const requests = serve(...replies);
  const onClose = vi.fn();
  const screen = await show(<AccountDialog account={account} onClose={onClose} />);
  return { requests, onClose, screen, save: screen.getByRole('button', { name: 'Save Changes' }) };
}

async function added(reply: unknown) {
  const opened = await open(null, [createAccount, reply]);
  const { screen } = opened;
  await screen.getByLabelText('Name').fill('Mona Vidal');
  await screen.getByLabelText('Email').fill('mona@clinic.example');
  await screen.getByLabelText('Password').fill('a long enough one');
  await opened.save.click();
  return opened;
}

test('when adding an account gets no reply, the dialog says that the account may have been saved', async () => {
  const { screen, onClose } = await added(null);
  const alert = screen.getByRole('alert');
  await expect.element(alert).toMatchTextContent('It may have been saved. Check the list before trying again.');
  await expect.element(alert).not.toMatchTextContent('Nothing was changed');
  expect(onClose).not.toHaveBeenCalled();
});

test('given an account that is being saved, its dialog stays open until it is saved', async () => {
  let reply = (_: Account): void => undefined;
  const held = new Promise<Account>((resolve) => (reply = resolve));
  const { screen, requests, onClose } = await added(() => held);
  await expect.poll(() => requests.length).toBe(1);
  await userEvent.keyboard('{Escape}');
  await screen.getByRole('button', { name: 'Close' }).last().click();
  expect(onClose).not.toHaveBeenCalled();
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument();
  reply(NORA);
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  await expect.element(screen.getByText('Account added')).toBeVisible();
});

test('a refusal is shown with its reason, and what was typed stays', async () => {
  const { screen, save, onClose } = await open(NORA, [updateAccount, refusal('This is the last administrator.')]);
  await screen.getByLabelText('Role').selectOptions('Scheduler');
  await save.click();
  await expect.element(screen.getByRole('alert')).toMatchTextContent('This is the last administrator.');
  await expect.element(screen.getByRole('alert')).toMatchTextContent('Nothing was changed.');
  await expect.element(screen.getByLabelText('Role')).toHaveValue('scheduler');
  expect(onClose).not.toHaveBeenCalled();
});

test('an administrator for one location can create accounts only for that location', async () => {
  takeLocations(DEFAULT_LOCATIONS.map(locationToSend));
  saveOwnLocations({ subject: 'someone', locations: ['orlando'] });
  onTestFinished(() => localStorage.clear());
  const { screen } = await open(null);
  const places = screen.getByRole('group', { name: 'Locations' });
  await expect.element(places.getByLabelText('Orlando')).toBeChecked();
  expect(places.getByRole('checkbox').elements()).toHaveLength(1);
});
