import type { Blob } from 'node:buffer';
import type { Stream } from 'node:stream';
import writeXlsxFile, { type Feature, type Row, type Sheet } from 'write-excel-file/node';
import type { ActionsReply } from '@clinic/contract';
import { duration } from '@clinic/domain';
import type { CountedReply } from './report.ts';

type FileContent = Stream | Buffer | Blob;

/**
 * `schedule_actions.xlsx`: sheets Actions, By therapist, Calls to make, Uncovered, Figures, each with a frozen header,
 * filters and column widths. Text is always written as text, so that no cell can be a formula or a link.
 */
export async function makeWorkbook(reply: CountedReply): Promise<Buffer> {
  const sheets = [
    plan<ActionsReply['actions'][number]>('Actions', reply.actions, [
      ['Date', 12, (r) => r.date],
      ['Client', 24, (r) => r.client],
      ['Time', 22, (r) => r.time],
      ['From therapist', 22, (r) => r.from_therapist],
      ['To therapist', 22, (r) => r.to_therapist],
      ['Status', 12, (r) => r.status],
      ['Location', 14, (r) => r.location],
      ['Subject', 22, (r) => r.subject],
      ['Appointment Id', 16, (r) => r.appointment_id],
      ['Reason', 44, (r) => r.reason],
    ]),
    plan<ActionsReply['by_therapist'][number]>('By therapist', reply.by_therapist, [
      ['Therapist', 22, (r) => r.therapist],
      ['Date', 12, (r) => r.date],
      ['Time', 22, (r) => r.time],
      ['Client', 24, (r) => r.client],
      ['Subject', 22, (r) => r.subject],
      ['Status', 14, (r) => r.status],
    ]),
    plan<ActionsReply['calls'][number]>('Calls to make', reply.calls, [
      ['Who', 26, (r) => r.who],
      ['Kind', 12, (r) => (r.kind === 'family' ? 'Family' : 'Therapist')],
      ['Date', 12, (r) => r.date],
      ['Say', 110, (r) => r.say],
    ]),
    plan<ActionsReply['uncovered'][number]>('Uncovered', reply.uncovered, [
      ['Date', 12, (r) => r.date],
      ['Client', 24, (r) => r.client],
      ['Time', 22, (r) => r.time],
      ['Minutes', 10, (r) => r.minutes],
      ['Subject', 22, (r) => r.subject],
      ['Booked therapist', 22, (r) => r.booked_therapist],
    ]),
    plan<[string, string | number]>('Figures', figureRows(reply.figures), [
      ['Figure', 34, ([name]) => name],
      ['Value', 14, ([, value]) => value],
    ]),
  ];
  return writeXlsxFile(
    sheets.map((s) => s.sheet),
    { features: [filters(sheets.map((s) => s.area))] },
  ).toBuffer();
}

/** The commit's figures, with the names used in the options and on the Today page. */
const figureRows = (f: CountedReply['figures']): [string, string | number][] => [
  ['Sessions affected', f.sessions],
  ['Changes', f.changes],
  ['Care in these sessions', duration(f.minutes_needed)],
  ['Care kept', duration(f.minutes_kept)],
  ['Care without a therapist', duration(f.minutes_uncovered)],
  ['People to notify', f.people],
];

function plan<T>(name: string, rows: readonly T[], columns: [string, number, (row: T) => string | number][]) {
  const header: Row = columns.map(([title]) => ({ value: title, fontWeight: 'bold', backgroundColor: '#e8eef5' }));
  const body = rows.map((row): Row => columns.map(([, , of]) => cell(of(row))));
  const sheet: Sheet<FileContent> = {
    sheet: name,
    data: [header, ...body],
    columns: columns.map(([, width]) => ({ width })),
    stickyRowsCount: 1,
  };
  const last = String.fromCharCode('A'.charCodeAt(0) + columns.length - 1);
  return { sheet, area: `A1:${last}${rows.length + 1}` };
}

function cell(value: string | number): Row[number] {
  if (typeof value === 'number') return { value, type: Number };
  return { value: inert(value), type: String, wrap: true, alignVertical: 'top' };
}

const MOST_CHARACTERS = 32_000; // the most characters that a cell can hold

/** Text that a cell can hold: no control characters, no invalid characters, not too long. */
export function inert(text: string): string {
  const clean = text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\p{Cs}\p{Noncharacter_Code_Point}]/gu, '')
    .slice(0, MOST_CHARACTERS);
  // The library looks up texts in a plain object, where these names already mean something: a space avoids them.
  return clean in {} ? `${clean} ` : clean;
}

/** Adds filter arrows to each sheet's header. */
function filters(areas: readonly string[]): Feature<FileContent> {
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml, _options, { sheetIndex }) =>
            xml.replace('</sheetData>', `</sheetData><autoFilter ref="${areas[sheetIndex] ?? 'A1'}"/>`),
        },
      },
    },
  };
}
