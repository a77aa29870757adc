import { ERRORS, SIGN_ON_FAILURES, authEndpoints, signOnEndpoints } from '@clinic/contract';
import { expect, onTestFinished, test } from 'vitest';
import { serve, show } from '../../testing/components.tsx';
import { LoginForm } from './login-form.tsx';

const { token } = authEndpoints;
const about = { no_account: false, demo_logins: [], sign_on: false, admins_only: false };
const refused = () => Response.json({ detail: 'Invalid credentials' }, { status: 401 });

async function form(reply: unknown) {
  const requests = serve([token, reply], [authEndpoints.login, about]);
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

async function comeBack(hash: string, reply: unknown) {
  window.history.replaceState(null, '', `${window.location.pathname}#${hash}`);
  const requests = serve([signOnEndpoints.signOnToken, reply], [authEndpoints.login, { ...about, sign_on: true }]);
  return { requests, screen: await show(<LoginForm />) };
}

test('the clinic’s account is offered only where the clinic has a sign-on', async () => {
  const { screen } = await form(refused);
  await expect.element(screen.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await expect
    .element(screen.getByRole('button', { name: 'Log in with your clinic’s account' }))
    .not.toBeInTheDocument();
  await screen.unmount();
  const { screen: offered } = await comeBack('', refused);
  await expect.element(offered.getByRole('button', { name: 'Log in with your clinic’s account' })).toBeVisible();
});

test('a code in the address is exchanged once, and is no longer in the address', async () => {
  const { requests, screen } = await comeBack('code=abc', () => Response.json({ detail: 'Gone.' }, { status: 404 }));
  expect(window.location.hash).toBe('');
  await expect.element(screen.getByRole('alert')).toHaveTextContent(SIGN_ON_FAILURES['too-late']);
  expect(requests.map(({ body }) => body)).toEqual([{ code: 'abc' }]);
});

test.each([
  ['no-role', SIGN_ON_FAILURES['no-role']],
  ['made up', SIGN_ON_FAILURES['not-accepted']],
])('a sign-on that failed (%s) says why, and the address no longer does', async (word, sentence) => {
  const { screen } = await comeBack(`failed=${word}`, refused);
  await expect.element(screen.getByRole('alert')).toHaveTextContent(sentence);
  expect(window.location.hash).toBe('');
});

test('after the right password, the code of the second factor is asked for, and sent with both', async () => {
  const { requests, screen, email, password, enter } = await form(() =>
    Response.json({ detail: ERRORS[requests.length < 2 ? 'code-needed' : 'code-wrong'].text }, { status: 401 }),
  );
  await email.fill('staff@clinic.example');
  await password.fill('the password');
  await enter.click();
  const code = screen.getByLabelText('Code');
  await expect.element(code).toHaveFocus();
  await code.fill('123456');
  await enter.click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent(ERRORS['code-wrong'].text);
  expect(requests).toHaveLength(2);
  await expect.element(password).toHaveValue('the password');
});

test('in Spanish, the login says everything in Spanish, also what went wrong; the choice of language is kept', async () => {
  onTestFinished(() => localStorage.clear());
  const { screen, email, password, enter } = await form(refused);
  await screen.getByRole('button', { name: 'Español' }).click();
  await expect.poll(() => document.documentElement.lang).toBe('es');
  expect(localStorage.getItem('own_language')).toBe('es');
  await expect.element(screen.getByRole('heading', { name: 'Entrar en Scheduler' })).toBeVisible();
  await expect.element(email).not.toBeInTheDocument();
  await screen.getByLabelText('Correo electrónico').fill('kai@clinic.example');
  await screen.getByLabelText('Contraseña').fill('mal');
  await screen.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect.element(screen.getByRole('alert')).toMatchTextContent('no son correctos');
  await expect.element(screen.getByText('Nadie ha revisado todavía el español de esta página.')).toBeVisible();
  for (const english of [password, enter]) await expect.element(english).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'English' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Login to Scheduler' })).toBeVisible();
});
