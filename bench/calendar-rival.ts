/**
 * Renders the same day with FullCalendar's resource timeline (downloaded, in its trial mode), and measures it in the
 * same way as this product's calendar.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { fetched } from './calendar-others.ts';
import { BARS_A_ROW, slotsDay } from './calendar-day.ts';
import { timeFrom, watchedContext, type DayTimes } from './calendar-page.ts';

const VERSION = '7.0.2';
const SCRIPTS = [
  'temporal-polyfill/global.js',
  'fullcalendar/all/global.js',
  'fullcalendar-scheduler/all/global.js',
  'fullcalendar/themes/classic/global.js',
];
const STYLES = [
  'fullcalendar/skeleton.css',
  'fullcalendar/themes/classic/theme.css',
  'fullcalendar/themes/classic/palette.css',
];
export const RIVAL = `FullCalendar ${VERSION}, resource timeline, trial mode`;

// Runs in the page. Both calendars get times without a time zone.
const START = `
(async () => {
  const reply = await (await fetch('/api/slots?date=2026-11-20&location=altamonte')).json();
  const iso = (wire) => {
    const [, month, day, year, hour, minute, half] = /^(\\d+)\\/(\\d+)\\/(\\d+), (\\d+):(\\d+) (AM|PM)$/.exec(wire);
    const two = (n) => String(n).padStart(2, '0');
    return year + '-' + two(month) + '-' + two(day) + 'T' + two((hour % 12) + (half === 'PM' ? 12 : 0)) + ':' + minute + ':00';
  };
  const people = reply.people.filter((p) => p.type === 'therapist');
  const ids = new Map(people.map((p) => [p.name, p.id]));
  new FullCalendar.Calendar(document.getElementById('calendar'), {
    schedulerLicenseKey: 'CC-Attribution-NonCommercial-NoDerivatives',
    initialView: 'resourceTimelineDay',
    initialDate: '2026-11-20',
    timeZone: 'UTC',
    height: 820,
    slotMinTime: '07:00:00',
    slotMaxTime: '19:00:00',
    slotDuration: '00:15:00',
    resources: people.map((p) => ({ id: p.id, title: p.name })),
    events: reply.appointments.map((a) => ({
      id: a.Id,
      resourceId: ids.get(a.Preferred_Provider_Name),
      title: a['Client Name'],
      start: iso(a.StartDateTime),
      end: iso(a.EndDateTime),
      className: 'bench-bar',
    })),
  }).render();
})();
`;

/** Measures, `runs` times, how soon it shows a day with `rows` therapists. */
export async function timeRival(browser: Browser, rows: number, runs: number): Promise<DayTimes[]> {
  const modules = await fetched('fullcalendar', {
    fullcalendar: VERSION,
    'fullcalendar-scheduler': VERSION,
    'temporal-polyfill': '1.0.8',
  });
  const context = await watchedContext(
    browser,
    { baseURL: 'http://rival.localhost' },
    { selector: '.bench-bar', count: rows * BARS_A_ROW },
    (date) => slotsDay(rows, date),
  );
  await context.route('http://rival.localhost/page/**', (route) => {
    const path = new URL(route.request().url()).pathname.slice('/page/'.length);
    if (path === 'start.js') return route.fulfill({ contentType: 'text/javascript', body: START });
    if (path !== '')
      return route.fulfill({
        contentType: path.endsWith('.css') ? 'text/css' : 'text/javascript',
        body: readFileSync(join(modules, path)),
      });
    return route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><meta charset="utf-8">${STYLES.map((s) => `<link rel="stylesheet" href="/page/${s}">`).join('')}
        <div id="calendar"></div>${[...SCRIPTS, 'start.js'].map((s) => `<script src="/page/${s}"></script>`).join('')}`,
    });
  });
  const all: DayTimes[] = [];
  for (let run = 0; run < runs; run++) all.push(await timeFrom(context, '/page/'));
  await context.close();
  return all;
}
