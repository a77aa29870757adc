import { authEndpoints } from '@clinic/contract';
import { expect, test } from 'vitest';
import { serve, show } from '../../testing/components.tsx';
import { LoginForm } from './login-form.tsx';

const { token } = authEndpoints;
const refused = () => Response.json({ detail: 'Invalid credentials' }, { status: 401 });

async function form(reply: unknown) {
  const requests = serve([token, reply], [authEndpoints.login, { no_account: false, demo_logins: [] }]);
  const screen = await show(<LoginForm />);
  const email = screen.getByLabelText('Email');
  const password = screen.getByLabelText('Password');
  return { requests, screen, email, password, enter: screen.getByRole('button', { name: 'Log in' }) };
}

test('[AUTH-01] nothing is sent while a field is empty', async () => {
  const { requests, email, password, enter } = await form(refused());
  await email.fill('staff@clinic.example');
  await enter.click();
  await expect.element(password).toBeInvalid();
  expect(requests).toEqual([]);
});

test('[AUTH-03] a wrong password and an unknown email give the same message', async () => {
  const { requests, screen, email, password, enter } = await form(refused);
  for (const [n, who] of ['staff@clinic.example', 'nobody@clinic.example'].entries()) {
    await email.fill(who);
    await password.fill('not the password');
    await enter.click();
    await expect.poll(() => requests.length).toBe(n + 1);
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Invalid credentials');
    await expect.element(enter).toBeEnabled();
  }
});

test('a server that cannot be reached is not reported as a wrong password', async () => {
  const { screen, email, password, enter } = await form(null);
  await email.fill('staff@clinic.example');
  await password.fill('the password');
  await enter.click();
  await expect.element(screen.getByRole('alert')).toMatchTextContent('cannot be reached');
});
