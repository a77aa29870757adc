import type { CareReply, CareRow } from '@clinic/contract';
import { duration, type IsoDate } from '@clinic/domain';
import { behindCare } from '../api/use-ledgers.ts';
import { CARE_FIGURES, CARE_WORDS, careSessionsOf, lostShare } from '../care.ts';
import { daysWords } from '../model.ts';
import type { Column } from './figure-table.tsx';
import { LedgerSheet } from './ledger-sheet.tsx';

const COLUMNS: readonly Column<CareRow>[] = [
  { label: 'Share lost', cell: (row) => `${lostShare(row)} %` },
  {
    label: 'Priority',
    cell: ({ priority, by_hand }) => `${priority} %${by_hand ? ', set by hand' : ''}`,
    strong: ({ priority }) => priority > 100,
  },
  { label: 'Authorized', cell: ({ authorized }) => (authorized === null ? 'not known' : duration(authorized)) },
  {
    label: 'Authorized, left',
    cell: ({ left }) => (left === null ? 'not known' : duration(left)),
    strong: ({ left }) => left === 0,
  },
];

/** Each client's care in four weeks, and the priority that follows from it. */
export const CareSheet = ({ reply, date }: { reply: CareReply; date: IsoDate }) => (
  <LedgerSheet
    title="Care"
    caption="Care of each client"
    who="Client"
    about={`${daysWords(reply)}. The more of it was lost, the higher the priority in a plan.`}
    off={reply.off}
    figures={CARE_FIGURES}
    words={CARE_WORDS}
    columns={COLUMNS}
    rows={reply.rows}
    empty={{ title: 'No clients', text: 'There are no clients at this location.' }}
    behind={({ id }) => behindCare(id, date)}
    show={(sessions, _, figure) =>
      careSessionsOf(sessions, figure).map((session) => ({
        ...session,
        words: `${session.subject}: ${duration(session.delivered)} of ${duration(session.booked)} delivered`,
      }))
    }
  />
);
