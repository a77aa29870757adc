import { expect, test } from 'vitest';
import fc from 'fast-check';
import readXlsxFile from 'read-excel-file/node';
import { unzip } from '../../testing/unzip.ts';
import type { CountedReply } from './report.ts';
import { inert } from '../../platform/workbook.ts';
import { makeWorkbook } from './workbook.ts';
import { repeats } from '../../reliability/testing/doses.ts';

const reply = (text: string): CountedReply => ({
  commit: 'c',
  figures: { sessions: 2, changes: 3, minutes_needed: 270, minutes_kept: 180, minutes_uncovered: 90, people: 4 },
  actions: [
    {
      date: '2026-11-20',
      client: text,
      time: '8:30 AM - 11:30 AM',
      from_therapist: text,
      to_therapist: text,
      status: 'Cover',
      location: 'Altamonte',
      subject: text,
      appointment_id: text,
      reason: text,
    },
  ],
  by_therapist: [{ therapist: text, date: '2026-11-20', time: '', client: text, subject: text, status: 'Cover' }],
  calls: [{ who: text, kind: 'family', date: '2026-11-20', say: text }],
  uncovered: [{ date: '2026-11-20', client: text, time: '', minutes: 90, subject: text, booked_therapist: text }],
});

test('[SOL-14] the workbook has five sheets with their columns, a frozen header, filters and column widths', async () => {
  const bytes = await makeWorkbook(reply('Bo Lee'));
  const sheets = await readXlsxFile(bytes);
  expect(sheets.map((s) => s.sheet)).toEqual(['Actions', 'By therapist', 'Calls to make', 'Uncovered', 'Figures']);
  expect(sheets.map((s) => s.data[0])).toEqual([
    [
      'Date',
      'Client',
      'Time',
      'From therapist',
      'To therapist',
      'Status',
      'Location',
      'Subject',
      'Appointment Id',
      'Reason',
    ],
    ['Therapist', 'Date', 'Time', 'Client', 'Subject', 'Status'],
    ['Who', 'Kind', 'Date', 'Say'],
    ['Date', 'Client', 'Time', 'Minutes', 'Subject', 'Booked therapist'],
    ['Figure', 'Value'],
  ]);
  const [call] = reply('Bo Lee').calls;
  const spanish = await readXlsxFile(
    await makeWorkbook({ ...reply('Bo Lee'), calls: call ? [call, { ...call, say_es: 'Hola' }] : [] }),
  );
  expect(spanish[2]?.data.map((row) => row[4])).toEqual(['Say in Spanish', null, 'Hola']);
  expect(sheets[3]?.data[1]).toEqual(['2026-11-20', 'Bo Lee', null, 90, 'Bo Lee', 'Bo Lee']);
  expect(sheets[4]?.data.slice(1)).toEqual([
    ['Sessions affected', 2],
    ['Changes', 3],
    ['Care in these sessions', '4 h 30 min'],
    ['Care kept', '3 h'],
    ['Care without a therapist', '1 h 30 min'],
    ['People to notify', 4],
  ]);
  const files = unzip(bytes);
  for (const [n, area] of ['A1:J2', 'A1:F2', 'A1:D2', 'A1:F2', 'A1:B7'].entries()) {
    const xml = files.get(`xl/worksheets/sheet${n + 1}.xml`) ?? '';
    expect(xml).toContain('state="frozen"');
    expect(xml).toContain(`<autoFilter ref="${area}"/>`);
    expect(xml).toContain('customWidth="1"');
  }
});

test('hostile text stays text: it never becomes a formula, a link or broken XML', async () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '=HYPERLINK("http://x.example","y")',
      '+1+1',
      '-2+3',
      '@SUM(A1)',
      '<f>1+1</f>',
      ']]>&lt;"\'',
      '\u0000\u0007\u001b',
      '\ud800x\udfff',
      '\uffff',
      'valueOf',
      '__proto__',
      'constructor',
      'x'.repeat(40_000),
    ),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const bytes = await makeWorkbook(reply(text));
      for (const [name, xml] of unzip(bytes)) {
        expect(xml, name).not.toMatch(/<f[ >]|<hyperlink|TargetMode="External"/);
        // eslint-disable-next-line no-control-regex
        expect(xml, name).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\uFFFE\uFFFF]/);
      }
      const [actions] = await readXlsxFile(bytes, { trim: false });
      const read = actions?.data[1]?.[1] ?? '';
      expect(read).toBe(inert(text) === '' ? '' : inert(text));
    }),
    { numRuns: repeats(30) },
  );
});
