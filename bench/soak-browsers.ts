import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SlotsReply } from '@clinic/contract';
import { startServer } from '../e2e/fixtures/server.ts';
import { DEMO } from '../e2e/fixtures/test.ts';
import { closeTabs, isInstalled, openFirefox, openWebKit, type Tab } from './soak-tabs.ts';

export const BROWSERS = 'browsers';
/** How long a step may take, in milliseconds; options may take this long on a busy machine. */
const PATIENCE = 60_000;
const ENGINES = [
  { name: 'Firefox', program: 'firefox-esr', open: openFirefox },
  { name: 'WebKit', program: 'WebKitWebDriver', open: openWebKit },
];

/**
 * Does the main job in Firefox and in WebKit: two therapists are marked absent, Option 1 is submitted, and undone.
 * @returns whether both could do it
 */
export async function runBrowsers(results: string): Promise<boolean> {
  const began = performance.now();
  const figures: Record<string, string> = {};
  for (const { name, program, open } of ENGINES) {
    if (!isInstalled(program)) {
      figures[name] = `not installed: apt-get install firefox-esr webkit2gtk-driver xvfb`;
      continue;
    }
    const server = await startServer();
    try {
      const tab = await open();
      await doMainJob(tab, server.url);
      figures[name] = `did it (${String(await tab.run('navigator.userAgent'))})`;
    } catch (error) {
      figures[name] = error instanceof Error ? error.message : String(error);
    }
    await closeTabs();
    await server.stop();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const result = { name: BROWSERS, count: ENGINES.length, seconds, at: new Date(), figures };
  writeFileSync(join(results, `${BROWSERS}.json`), `${JSON.stringify(result, null, 2)}\n`);
  return Object.values(figures).every((found) => found.startsWith('did it'));
}

async function doMainJob(tab: Tab, url: string): Promise<void> {
  /** The value of an expression in the page, once it is neither null nor false. */
  const until = async (what: string, expression: string): Promise<unknown> => {
    for (const end = performance.now() + PATIENCE; performance.now() < end; await delay(100)) {
      const value = await tab.run(expression).catch(() => null); // the page may be loading
      if (value !== null && value !== false) return value;
    }
    throw new Error(
      `no ${what} after ${PATIENCE / 1000} s: ${String(await tab.run('document.body.innerText.slice(0, 300)'))}`,
    );
  };
  /** Clicks the element that the expression finds, once its middle is in view and nothing covers it. */
  const click = async (what: string, find: string): Promise<void> => {
    const at = await until(
      what,
      `(() => {
        const part = ${find};
        if (!part || part.matches('[aria-disabled="true"]')) return null;
        part.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = part.getBoundingClientRect();
        const middle = { x: x + width / 2, y: y + height / 2 };
        return part.contains(document.elementFromPoint(middle.x, middle.y)) ? middle : null;
      })()`,
    );
    await tab.click(at as { x: number; y: number });
  };
  const button = (words: string): string =>
    `[...document.querySelectorAll('button')].findLast((each) => each.checkVisibility() && each.innerText.trim().startsWith(${JSON.stringify(words)}))`;

  await tab.open(`${url}/login`);
  await click('email field', `document.querySelector('input[type="email"], input[name="username"]')`);
  await tab.type(DEMO.staff.email);
  await click('password field', `document.querySelector('input[type="password"]')`);
  await tab.type(`${DEMO.staff.password}\uE007`); // Enter
  await until('day', `location.pathname === '/calendar' && document.querySelector('[data-bar]') !== null`);

  const read = (path: string): Promise<unknown> =>
    until(
      path,
      `(async () => {
        const headers = { Authorization: 'Bearer ' + localStorage.getItem('access_token') };
        return (await fetch('/api${path}', { headers })).json();
      })()`,
    );
  const { now } = (await read('/session')) as { now: string };
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(now));
  const slots = () => read(`/slots?location=altamonte&date=${date}`) as Promise<SlotsReply>;
  const before = await slots();
  const away = busiest(before, 2);
  for (const name of away)
    await click(
      name,
      `[...document.querySelectorAll('button[data-name]')].find((each) => each.innerText.startsWith(${JSON.stringify(name)}))`,
    );
  await click('Absences button', button('Absences'));
  await click('Save Absences button', button('Save Absences'));
  await until('options', `document.querySelector('dialog td[data-picked]') !== null`);
  await click(
    'Submit button',
    button('Submit').replace('innerText.trim().startsWith("Submit")', 'innerText.trim() === "Submit"'),
  );
  await until(
    'message',
    `[...document.querySelectorAll('[role="status"]')].some((each) => /submitted/.test(each.innerText))`,
  );
  const still = ofThem(await slots(), away);
  if (still.length > 0) throw new Error(`${still.length} sessions are still with those who are away`);
  await click('Undo button', button('Undo'));
  await until(
    'message',
    `[...document.querySelectorAll('[role="status"]')].some((each) => /^Undone/.test(each.innerText.trim()))`,
  );
  if (ofThem(await slots(), away).length !== ofThem(before, away).length)
    throw new Error('Undo did not bring all back');
}

const directOf = ({ appointments }: SlotsReply) =>
  appointments.filter((each) => each.service === 'direct' && /scheduled|confirmed/i.test(each.Appointment_Status));

const ofThem = (day: SlotsReply, names: readonly string[]) =>
  directOf(day).filter((each) => names.includes(each.Preferred_Provider_Name));

/** The therapists with the most direct sessions. */
function busiest(day: SlotsReply, count: number): string[] {
  const found = new Map<string, number>();
  for (const { Preferred_Provider_Name: name } of directOf(day))
    if (name !== 'Unassigned') found.set(name, (found.get(name) ?? 0) + 1);
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([name]) => name);
}
