import { adminEndpoints } from '@clinic/contract';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { serve, show } from '../../../testing/components.tsx';
import { InviteColleague } from './invite-forms.tsx';

const MADE = {
  id: 'one',
  therapist: null,
  name: 'Robin Vance',
  email: 'robin@clinic.example',
  role: 'admin',
  locations: null,
  message: null,
  expires_at: '2026-11-25T07:05:00',
  secret: 'a-secret',
};

const { inviteColleague } = adminEndpoints;

async function filledForm() {
  const onClose = vi.fn();
  const screen = await show(<InviteColleague again={null} emailOff="no-mail-server" onClose={onClose} />);
  await screen.getByLabelText('Name').fill('Robin Vance');
  await screen.getByRole('textbox', { name: 'Email' }).fill('robin@clinic.example');
  return { screen, onClose, create: screen.getByRole('button', { name: 'Create the Link' }) };
}

test('a link is shown once, in a field that can be copied, and nothing can be sent again', async () => {
  const requests = serve([inviteColleague, MADE]);
  const { screen, create } = await filledForm();
  await create.click();
  await expect
    .element(screen.getByRole('textbox', { name: 'Link' }))
    .toHaveValue(`${location.origin}/welcome#a-secret`);
  await expect.element(screen.getByText(/It can be used once, expires after 7 days/)).toBeVisible();
  await expect.element(create).not.toBeInTheDocument();
  expect(requests).toHaveLength(1);
  expect(requests[0]?.body).toMatchObject({ email: 'robin@clinic.example', by_email: false });
});

test('an email that is none is refused beside its field, and nothing is sent', async () => {
  const requests = serve([inviteColleague, MADE]);
  const { screen, create } = await filledForm();
  await screen.getByRole('textbox', { name: 'Email' }).fill('robin');
  await create.click();
  await expect.element(screen.getByText('An email address, such as dana@clinic.example')).toBeVisible();
  expect(requests).toEqual([]);
});

for (const [what, reply] of [
  ['a login page of a proxy', new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } })],
  ['null', Response.json(null)],
  ['an empty object', Response.json({})],
  ['a gateway’s 502', new Response('Bad Gateway', { status: 502 })],
  ['no reply', null],
] as const)
  test(`${what} is no invitation: the dialog stays with what was typed, and says that it may have been saved`, async () => {
    serve([inviteColleague, reply]);
    const { screen, create, onClose } = await filledForm();
    await create.click();
    await expect.element(screen.getByText(/It may have been saved/)).toBeVisible();
    await expect.element(screen.getByLabelText('Name')).toHaveValue('Robin Vance');
    await expect.element(screen.getByRole('textbox', { name: 'Link' })).not.toBeInTheDocument();
    await expect.element(create).toBeEnabled();
    expect(onClose).not.toHaveBeenCalled();
  });

test('what was typed is not lost by Escape without a question', async () => {
  serve();
  const { screen, onClose } = await filledForm();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByText(/The invitation has not been sent yet/)).toBeVisible();
  expect(onClose).not.toHaveBeenCalled();
});

test('while a link is created, Escape does not close the dialog, and the dialog shows the outcome', async () => {
  let answer = (): void => undefined;
  const broken = () => Response.json({ detail: 'broken' }, { status: 500 });
  const held = new Promise<Response>((resolve) => (answer = () => resolve(broken())));
  const requests = serve([inviteColleague, () => held]);
  const { screen, create, onClose } = await filledForm();
  await create.click();
  await expect.poll(() => requests.length).toBe(1);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument();
  answer();
  await expect.element(screen.getByRole('alert')).toBeVisible();
  expect(onClose).not.toHaveBeenCalled();
});
