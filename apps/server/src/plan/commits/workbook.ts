import type { ActionsReply } from '@clinic/contract';
import { duration } from '@clinic/domain';
import { sheetPlan, writeWorkbook } from '../../platform/workbook.ts';
import type { CountedReply } from './report.ts';

/** Makes `schedule_actions.xlsx` with the sheets Actions, By therapist, Calls to make, Uncovered and Figures. */
export async function makeWorkbook(reply: CountedReply): Promise<Buffer> {
  const sheets = [
    sheetPlan<ActionsReply['actions'][number]>('Actions', reply.actions, [
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
    sheetPlan<ActionsReply['by_therapist'][number]>('By therapist', reply.by_therapist, [
      ['Therapist', 22, (r) => r.therapist],
      ['Date', 12, (r) => r.date],
      ['Time', 22, (r) => r.time],
      ['Client', 24, (r) => r.client],
      ['Subject', 22, (r) => r.subject],
      ['Status', 14, (r) => r.status],
    ]),
    sheetPlan<ActionsReply['calls'][number]>('Calls to make', reply.calls, [
      ['Who', 26, (r) => r.who],
      ['Kind', 12, (r) => (r.kind === 'family' ? 'Family' : 'Therapist')],
      ['Date', 12, (r) => r.date],
      ['Say', 110, (r) => r.say],
      ...(reply.calls.some((r) => r.say_es) ? [SPANISH] : []),
    ]),
    sheetPlan<ActionsReply['uncovered'][number]>('Uncovered', reply.uncovered, [
      ['Date', 12, (r) => r.date],
      ['Client', 24, (r) => r.client],
      ['Time', 22, (r) => r.time],
      ['Minutes', 10, (r) => r.minutes],
      ['Subject', 22, (r) => r.subject],
      ['Booked therapist', 22, (r) => r.booked_therapist],
    ]),
    sheetPlan<[string, string | number]>('Figures', figureRows(reply.figures), [
      ['Figure', 34, ([name]) => name],
      ['Value', 14, ([, value]) => value],
    ]),
  ];
  return writeWorkbook(sheets);
}

/** Only there when somebody is told in Spanish. */
const SPANISH: readonly [string, number, (r: ActionsReply['calls'][number]) => string] = [
  'Say in Spanish',
  110,
  (r) => r.say_es ?? '',
];

/** The commit's figures, labeled as in the options and on the Today page. */
const figureRows = (f: CountedReply['figures']): [string, string | number][] => [
  ['Sessions affected', f.sessions],
  ['Changes', f.changes],
  ['Care in these sessions', duration(f.minutes_needed)],
  ['Care kept', duration(f.minutes_kept)],
  ['Care without a therapist', duration(f.minutes_uncovered)],
  ['People to notify', f.people],
];
