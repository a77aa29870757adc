import type { HoursReply, HoursRow } from '@clinic/contract';
import { duration, formatTime, type IsoDate } from '@clinic/domain';
import { amount } from '../../../shared/amount.ts';
import { behindHours } from '../api/use-ledgers.ts';
import { daysWords, FIGURE_WORDS, overtimeOf, sessionsOf } from '../model.ts';
import type { Column } from './figure-table.tsx';
import { LedgerSheet } from './ledger-sheet.tsx';
import { RulesForm } from './rules-form.tsx';
import css from './ledger.module.css';

const isBelow = ({ booked, guaranteed }: HoursRow): boolean => guaranteed !== null && booked < guaranteed;

const COLUMNS: readonly Column<HoursRow>[] = [
  { label: 'Maximum', cell: ({ most }) => duration(most) },
  {
    label: 'Guaranteed',
    cell: (row) =>
      row.guaranteed === null ? amount(0) : `${duration(row.guaranteed)}${isBelow(row) ? ', not reached' : ''}`,
    strong: isBelow,
  },
  { label: 'Left', cell: ({ left }) => amount(left) },
  {
    label: 'Overtime ahead',
    cell: (row) => amount(overtimeOf(row)),
    strong: (row) => overtimeOf(row) > 0,
  },
];

/** Each therapist's hours, and the rules that are off because data is missing. */
export const HoursSheet = ({
  reply,
  date,
  now,
  isAdmin,
}: {
  reply: HoursReply;
  date: IsoDate;
  now: { readonly date: IsoDate; readonly minutes: number };
  isAdmin: boolean;
}) => (
  <LedgerSheet
    title="Hours"
    caption="Hours by therapist"
    who="Therapist"
    note={({ credential }) => credential}
    about={`${daysWords(reply)}. Cover is counted up to the chosen date.`}
    off={reply.off}
    words={FIGURE_WORDS}
    columns={COLUMNS}
    rows={reply.rows}
    empty={{ title: 'No therapists', text: 'No therapist works at this location on this date.' }}
    behind={({ id }) => behindHours(id, date)}
    show={(sessions, _, figure) =>
      sessionsOf(sessions, figure, date, { date: now.date, time: formatTime(now.minutes) }).map((session) => ({
        ...session,
        words: `${session.client ?? session.subject}${session.cover ? ', as cover' : ''}`,
      }))
    }
  >
    {isAdmin ? (
      <details className={css.change}>
        <summary>Change the limits</summary>
        <RulesForm />
      </details>
    ) : null}
  </LedgerSheet>
);
