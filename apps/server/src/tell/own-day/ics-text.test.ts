import { execFileSync } from 'node:child_process';
import { Temporal } from 'temporal-polyfill';
import fc from 'fast-check';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { expect, test } from 'vitest';
import { addDays, isoDate } from '@clinic/domain';
import { icsText, type IcsEvent } from './ics-text.ts';

const AT = '2026-03-01T12:30:00Z';
const ZONES = ['America/New_York', 'America/Chicago', 'America/Phoenix', 'Europe/Madrid', 'Australia/Sydney'];

/** What a reader found in an event; times are instants in ISO 8601. */
interface Found {
  uid: string;
  sequence: number;
  start: string;
  end: string;
  status: string;
  summary: string;
  place: string;
}

const instant = (event: IcsEvent, minute: number): string =>
  Temporal.PlainDate.from(event.date)
    .toZonedDateTime({ timeZone: event.zone, plainTime: Temporal.PlainTime.from({ hour: 0 }).add({ minutes: minute }) })
    .toInstant()
    .toString({ smallestUnit: 'second' });

const expected = (events: readonly IcsEvent[]): Found[] =>
  events.map((event) => ({
    uid: event.uid,
    sequence: event.sequence,
    start: instant(event, event.start),
    end: instant(event, event.end),
    status: event.status,
    summary: event.summary,
    place: event.place,
  }));

const iso = (at: Date): string => at.toISOString().replace('.000Z', 'Z');

function readByIcalJs(text: string): Found[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return calendar.getAllSubcomponents('vevent').map((each) => {
    const event = new ICAL.Event(each);
    return {
      uid: event.uid,
      sequence: event.sequence,
      start: iso(event.startDate.toJSDate()),
      end: iso(event.endDate.toJSDate()),
      status: String(each.getFirstPropertyValue('status')),
      summary: event.summary,
      place: event.location,
    };
  });
}

/** A text without parameters. */
const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const readByNodeIcal = (text: string): Found[] =>
  Object.values(nodeIcal.sync.parseICS(text)).flatMap((each) =>
    each?.type === 'VEVENT'
      ? {
          uid: each.uid,
          sequence: Number(each.sequence),
          start: iso(new Date(each.start)),
          end: iso(new Date(each.end!)),
          status: each.status ?? '',
          summary: plain(each.summary),
          place: plain(each.location),
        }
      : [],
  );

const PYTHON = `
import json, sys
from datetime import timezone
from icalendar import Calendar
iso = lambda at: at.dt.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
events = Calendar.from_ical(sys.stdin.buffer.read()).walk('VEVENT')
print(json.dumps([dict(uid=e['UID'], sequence=int(e['SEQUENCE']), start=iso(e['DTSTART']), end=iso(e['DTEND']),
  status=e['STATUS'], summary=e['SUMMARY'], place=e['LOCATION']) for e in events]))`;

function readByPython(text: string): Found[] {
  const python = process.env['API_CLIENT_PYTHON'];
  if (!python) throw new Error('API_CLIENT_PYTHON is not set: run `npm test -- --only integration`.');
  return JSON.parse(execFileSync(python, ['-c', PYTHON], { input: text, encoding: 'utf8' })) as Found[];
}

const events = fc.uniqueArray(
  fc.record({
    uid: fc.uuid().map((id) => `${id}@clinic-scheduler`),
    sequence: fc.integer({ min: 1, max: 100_000 }),
    // Two years, with each zone's changes of the clock.
    date: fc.integer({ min: 0, max: 730 }).map((days) => addDays(isoDate('2026-01-01'), days)),
    start: fc.integer({ min: 28, max: 60 }).map((quarter) => quarter * 15),
    end: fc.integer({ min: 61, max: 76 }).map((quarter) => quarter * 15),
    zone: fc.constantFrom(...ZONES),
    status: fc.constantFrom('CONFIRMED' as const, 'TENTATIVE' as const, 'CANCELLED' as const),
    summary: fc
      .stringMatching(/^[A-Za-z,;\\áñ日😀 ]{0,120}$/u)
      .map((text) => `S${text.replace(/\s+/g, ' ').trim()}`)
      .filter((text) => !text.includes('\\')),
    place: fc.constantFrom('Altamonte', 'Palm Beach', 'St. Pete; North, 2nd floor'),
  }),
  { selector: ({ uid }) => uid, minLength: 1, maxLength: 12 },
);

test('three independent readers find the same instants and texts that were written', () => {
  const texts: { text: string; written: IcsEvent[] }[] = [];
  fc.assert(
    fc.property(events, (written) => {
      const text = icsText('My sessions', written, AT);
      texts.push({ text, written });
      expect(readByIcalJs(text)).toEqual(expected(written));
      const byUid = (a: Found, b: Found) => (a.uid < b.uid ? -1 : 1);
      expect(readByNodeIcal(text).sort(byUid)).toEqual(expected(written).sort(byUid));
    }),
  );
  for (const { text, written } of texts.slice(0, 5)) expect(readByPython(text)).toEqual(expected(written));
});

test('lines are at most 75 bytes long, and zones are given as rules', () => {
  const event: IcsEvent = {
    uid: 'a',
    sequence: 1,
    date: isoDate('2026-03-09'),
    start: 480,
    end: 540,
    zone: 'America/New_York',
    status: 'CONFIRMED',
    summary: '😀ñ'.repeat(60),
    place: 'A\nB',
  };
  const lines = icsText('My sessions', [event], AT).split('\r\n');
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(lines).toContain('RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU');
  expect(lines.some((line) => line.startsWith('RDATE'))).toBe(false);
  expect(lines).toContain('LOCATION:A\\nB');
  expect(lines).toContain('DTSTAMP:20260301T123000Z');
});
