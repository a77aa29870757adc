import {
  absenceReportsEndpoints,
  ownAccountEndpoints,
  ownDayEndpoints,
  passkeyEndpoints,
  secondFactorEndpoints,
  type OwnWeek,
} from '@clinic/contract';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from '../../../testing/pages.tsx';

const WEEK: OwnWeek = {
  name: 'Kai Wood',
  now: '2026-11-18T07:05:00',
  earliest: '2026-10-19',
  latest: '2026-12-02',
  days: [
    {
      date: '2026-11-18',
      sessions: [
        {
          ...{ start: '13:00', end: '14:00', service: 'supervision', place: 'Tampa', cover: true, undecided: false },
          changed: false,
          clients: ['Ana', 'Ida'].map((name) => ({ name, changed: false, no_show: false, note: null })),
        },
      ],
    },
  ],
  changes: [
    {
      ...{ date: '2026-11-19', location: 'tampa', place: 'Tampa', version: 'v1', call: 'ask', seen_at: null },
      said_no: false,
      say: ['Can you come in for Bo Lee from 8:30 to 11:30?'],
      say_es: ['¿Puede venir para atender la sesión con Bo Lee de 8:30 a 11:30?'],
      gone: [{ start: '09:00', end: '10:00', service: 'direct', clients: ['Mo Diaz'] }],
    },
  ],
  reports: [],
};
const therapist = { id: 'someone', email: 'kai@clinic.example', name: 'Kai Wood', locations: null } as const;
const open = (week: OwnWeek) =>
  openPage('/me', {
    replies: [[ownDayEndpoints.ownWeek, week]],
    session: { account: { ...therapist, role: 'therapist' } },
  });
const text = () => document.querySelector('main')?.innerText ?? '';

test('a therapist whose language is Spanish reads their own page in it, and can choose English, which is kept', async () => {
  const { screen } = await open({ ...WEEK, language: 'es' });
  await expect.element(page.getByRole('heading', { name: 'Mi día' })).toBeVisible();
  expect(document.documentElement.lang).toBe('es');
  expect(document.title).toBe('Mi día - Scheduler');
  for (const words of [
    '1 cambio en su día',
    'Mañana, jueves 19 de noviembre de 2026, Tampa',
    '¿Puede venir para atender la sesión con Bo Lee de 8:30 a 11:30?',
    'Mo Diaz de 9:00',
    'Hoy, miércoles 18 de noviembre de 2026',
    'Ana e Ida',
    'Supervisión, Tampa',
    'Usted cubre',
    'Nadie ha revisado todavía el español de esta página.',
  ])
    expect(text()).toContain(words);
  expect(text()).not.toMatch(/[{}]|Can you|Yes|Seen|Nothing|Week/);
  await page.getByRole('button', { name: 'English' }).click();
  await expect.element(page.getByRole('heading', { name: 'My day' })).toBeVisible();
  expect(document.documentElement.lang).toBe('en');
  expect(text()).toContain('Tomorrow, Thursday, November 19, 2026, Tampa');
  await screen.unmount();
  await open({ ...WEEK, language: 'es' });
  await expect.element(page.getByText('Can you come in for Bo Lee from 8:30 to 11:30?')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Español' })).toHaveAttribute('lang', 'es');
});

test('without a language in the profile, the page is in the browser’s, here English', async () => {
  await open(WEEK);
  await expect.element(page.getByRole('heading', { name: '1 change to your day' })).toBeVisible();
  expect(text()).toContain('1:00 PM to 2:00 PM');
});

test('in Spanish, what fails, what is offline and what is not saved is said in Spanish, whatever the server says', async () => {
  const gone = new Response(JSON.stringify({ detail: 'A report covers 1 to 60 days.' }), { status: 422 });
  await openPage('/me', {
    replies: [
      [ownDayEndpoints.ownWeek, { ...WEEK, language: 'es' }],
      [absenceReportsEndpoints.reportAbsence, gone],
    ],
    session: { account: { ...therapist, role: 'therapist' } },
  });
  await page.getByRole('button', { name: 'No puedo ir' }).click();
  await page.getByRole('combobox', { name: 'Motivo' }).selectOptions('Mal tiempo');
  await page.getByRole('button', { name: 'Enviar' }).click();
  await expect.element(page.getByText(/^No se guardó nada\. Revise que el final/)).toBeVisible();
  expect(text()).not.toMatch(/report|days|saved/);
  await page.getByRole('button', { name: 'Atrás' }).click();
  const question = page.getByRole('alertdialog', { name: '¿Salir sin guardar?' });
  await expect.element(question).toMatchTextContent('Su ausencia todavía no se ha enviado.');
  await expect.element(question.getByRole('button', { name: 'Seguir editando' })).toBeVisible();
  await question.getByRole('button', { name: 'Descartar los cambios' }).click();
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'onLine'));
  dispatchEvent(new Event('offline'));
  await expect.element(page.getByText('Sin conexión.')).toBeVisible();
});

test('in Spanish, the account’s dialog is in Spanish too, and its QR code has white between its squares', async () => {
  const setUp = { secret: 'JBSWY3DPEHPK3PXP', address: 'otpauth://totp/Scheduler:kai?secret=JBSWY3DPEHPK3PXP' };
  const refusal = () => Response.json({ detail: 'current_password: is not your password' }, { status: 422 });
  let isRight = true;
  await openPage('/me', {
    replies: [
      [ownDayEndpoints.ownWeek, { ...WEEK, language: 'es' }],
      [passkeyEndpoints.passkeys, { password: true, passkeys: [] }],
      [secondFactorEndpoints.secondFactor, { on: false, codes_left: 0, required: false }],
      [secondFactorEndpoints.setUpFactor, () => (isRight ? Response.json(setUp) : refusal())],
      [ownAccountEndpoints.sessions, [{ begun_at: WEEK.now, seen_at: WEEK.now, current: true }]],
    ],
    session: { account: { ...therapist, role: 'therapist' } },
  });
  await page.getByRole('button', { name: 'Cuenta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Contraseña, llaves de acceso y sesiones' });
  await page.getByLabelText('Contraseña actual').fill('mala');
  isRight = false;
  await dialog.getByRole('button', { name: 'Configurar una aplicación' }).click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Esta no es su contraseña actual');
  isRight = true;
  await dialog.getByRole('button', { name: 'Configurar una aplicación' }).click();
  const code = dialog.getByRole('img', { name: 'Código QR de la clave de abajo' });
  await expect.element(code).toBeVisible();
  for (const part of code.element().querySelectorAll('path')) expect(getComputedStyle(part).stroke).toBe('none');
  expect(dialog.element().textContent).not.toMatch(/password|passkey|\b(app|code|logged|since|sessions|cancel)\b/i);
});
