import { callsEndpoints, type CallLine, type CallsReply, type Contact } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { lineOf } from '../../../../testing/call-line.ts';
import { openPage } from '../../../../testing/pages.tsx';

const contact = (name: string, language: string): Contact => ({
  ...{ name, relation: '', phone: '407 555 0134', dial: '+14075550134', email: '', preferred: '' },
  language,
});
const LINE: CallLine = {
  ...lineOf('bo'),
  name: 'Bo Lee',
  say: ['Bo is with Kai from 8:30 to 11:30 instead of Ana.'],
  say_es: ['Bo estará con Kai de 8:30 a 11:30 en lugar de Ana.'],
  written: { en: 'Your day has changed.', es: 'Su horario cambió.' },
};
const list = (line: CallLine): CallsReply => ({
  location: 'altamonte',
  date: '2026-12-07',
  now: '2026-12-07T07:05:00',
  sheet: null,
  open: true,
  next_ring: null,
  sending: { email: false, text: false, to_release: 0 },
  lines: [line],
  told: [],
  declined: [],
});
const open = (line: CallLine) =>
  openPage('/calls?location=altamonte&date=2026-12-07', {
    replies: [
      [callsEndpoints.same, []],
      [callsEndpoints.later, []],
      [callsEndpoints.list, list(line)],
    ],
  });
const said = () =>
  [...document.querySelectorAll('[data-line] p')].map((each) => [
    each.closest('[lang]')?.getAttribute('lang'),
    each.textContent,
  ]);
const bodies = () =>
  [...document.querySelectorAll('a[href^="sms:"]')].map((each) => decodeURIComponent(each.getAttribute('href') ?? ''));

test('a contact who speaks Spanish hears it first, with the English beneath, and gets a text in Spanish', async () => {
  await open({ ...LINE, contacts: [contact('Luz', 'Spanish'), contact('Ed', '')] });
  await expect.element(page.getByText(/^Bo estará con Kai/)).toBeVisible();
  await expect.element(page.getByText(/speaks Spanish/)).toBeVisible();
  expect(said()).toEqual([
    ['es', LINE.say_es?.[0]],
    ['en', LINE.say[0]],
    ['en', 'Nobody has reviewed the Spanish words yet.'],
  ]);
  expect(bodies()).toEqual(['sms:+14075550134?body=Su horario cambió.', 'sms:+14075550134?body=Your day has changed.']);
});

test('the English is first if the contact to try first speaks English, and alone if nobody speaks Spanish', async () => {
  const { screen } = await open({ ...LINE, contacts: [contact('Ed', ''), contact('Luz', 'Spanish')] });
  await expect.element(page.getByText(/^Bo estará con Kai/)).toBeVisible();
  expect(said().map(([language]) => language)).toEqual(['en', 'es', 'en']);
  await screen.unmount();
  const { say_es: _, ...english } = LINE;
  await open({ ...english, contacts: [contact('Ed', '')] });
  await expect.poll(said).toEqual([['en', LINE.say[0]]]);
});
