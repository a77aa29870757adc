import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { CERTIFICATE, KEY } from '../../testing/certificate.ts';
import { openMailReceiver, type MailReceiver } from '../../testing/mail-receiver.ts';
import { sendEmail } from './smtp.ts';

const TLS = { key: KEY, cert: CERTIFICATE };
const LOGIN = { user: 'clinic', password: 'p@ss/word' };
const EMAIL = {
  id: 'one',
  from: 'clinic@clinic.example',
  to: 'kai@home.example',
  text: 'Your day has changed: 1 new.',
};
const SHORT = { greetingMs: 200, silenceMs: 300, tryMs: 900 };
const PUBLIC_CAS = getCACertificates('default');

let mail: MailReceiver;
afterEach(async () => {
  setDefaultCACertificates(PUBLIC_CAS);
  await mail.close();
});

/**
 * The receiver's URL, written so that it counts as a remote mail server: `LOCALHOST` in upper case is not recognized as
 * this machine.
 */
const remote = (scheme = 'smtp', { user, password } = LOGIN): string =>
  `${scheme}://${encodeURIComponent(user)}:${encodeURIComponent(password)}@LOCALHOST:${new URL(mail.url).port}`;
const trustReceiver = (): void => setDefaultCACertificates([...PUBLIC_CAS, CERTIFICATE]);
const faultOf = (sending: Promise<void>): Promise<string> =>
  sending.then(
    () => 'sent',
    (error: unknown) => (error as Error).message,
  );

test('given STARTTLS and a password, the email is sent encrypted after a login, and nothing secret is sent in plain text', async () => {
  mail = await openMailReceiver({ tls: TLS, login: LOGIN });
  trustReceiver();
  await sendEmail(remote(), EMAIL);
  expect(mail.received).toMatchObject([{ id: 'one', to: 'kai@home.example', encrypted: true, user: 'clinic' }]);
  expect(mail.heardInClear.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
});

test.each([
  [
    'Your day on Fri 22 Nov has changed: 1 new, 1 gone. Open https://clinic.example/me',
    'Your day on Fri 22 Nov has changed',
  ],
  [
    'We have a question about your day on Fri 22 Nov. Open https://clinic.example/me',
    'We have a question about your day on Fri 22 Nov',
  ],
  ['Our earlier question no longer holds. Please call the clinic.', 'Our earlier question no longer holds'],
  ['Open https://clinic.example:8443/me', 'Open https://clinic.example:8443/me'],
])('the subject of “%s” is “%s”', async (text, subject) => {
  mail = await openMailReceiver();
  await sendEmail(mail.url, { ...EMAIL, text });
  const headers = mail.received[0]?.content.split('\r\n\r\n')[0]?.replace(/\r\n /g, ' ') ?? '';
  expect(headers.split('\r\n')).toContain(`Subject: ${subject}`);
});

test('a text whose lines begin with dots is received as it was written', async () => {
  mail = await openMailReceiver();
  const text = '.first\n..second\n.\nlast';
  await sendEmail(mail.url, { ...EMAIL, text });
  expect(mail.received[0]?.content.split('\r\n\r\n')[1]?.trim()).toBe(text.replace(/\n/g, '\r\n'));
});

test('given smtps, the connection is encrypted from its first byte', async () => {
  mail = await openMailReceiver({ tls: TLS, tlsFirst: true, login: LOGIN });
  trustReceiver();
  await sendEmail(remote('smtps'), EMAIL);
  expect(mail.received).toMatchObject([{ encrypted: true, user: 'clinic' }]);
  expect(mail.heardInClear).toEqual([]);
});

test.each([
  ['smtp', false],
  ['smtps', true],
] as const)('given an untrusted certificate, nothing is sent: %s', async (scheme, tlsFirst) => {
  mail = await openMailReceiver({ tls: TLS, tlsFirst, login: LOGIN });
  expect(await faultOf(sendEmail(remote(scheme), EMAIL))).toBe(
    'The mail server’s certificate cannot be trusted, so nothing was sent. Ask an administrator to fix this.',
  );
  expect(mail.received).toEqual([]);
  expect(mail.heardInClear.join()).not.toContain('AUTH');
});

test('given a remote server without STARTTLS, neither the password nor the email is sent', async () => {
  mail = await openMailReceiver({ login: LOGIN });
  expect(await faultOf(sendEmail(remote(), EMAIL))).toMatch(/^The mail server does not offer an encrypted connection/);
  expect([mail.received, mail.heardInClear.filter((line) => /^(AUTH|MAIL)/.test(line))]).toEqual([[], []]);
});

test('given a wrong password, the error says what an administrator has to fix, without the user name', async () => {
  mail = await openMailReceiver({ tls: TLS, login: LOGIN });
  trustReceiver();
  const fault = await faultOf(sendEmail(remote('smtp', { user: 'clinic', password: 'old' }), EMAIL));
  expect(fault).toBe(
    'The mail server does not accept the clinic’s user name and password. Ask an administrator to correct them.',
  );
  expect(mail.received).toEqual([]);
});

test.each([
  ['refuse', 'The mail server refuses this address (550). Check it in the profile, or call.'],
  ['wait', 'The mail server asks us to wait (451).'],
  ['hang', 'The mail server stopped replying.'],
  ['hang-after-data', 'The mail server stopped replying.'],
  ['drip', 'The mail server stopped replying.'],
  ['die-after-data', 'The mail server cannot be reached, or ended the connection.'],
] as const)('given a mail server whose behavior is %s, the error says so in plain words: %s', async (mood, words) => {
  mail = await openMailReceiver();
  mail.mood = mood;
  expect(await faultOf(sendEmail(mail.url, EMAIL, SHORT))).toBe(words);
});

test('given no mail server, the error says that the mail server cannot be reached', async () => {
  mail = await openMailReceiver();
  await mail.close();
  expect(await faultOf(sendEmail(mail.url, EMAIL, SHORT))).toBe(
    'The mail server cannot be reached, or ended the connection.',
  );
});
