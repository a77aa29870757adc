import type { SupervisionReply, SupervisionRow } from '@clinic/contract';
import { duration, type IsoDate } from '@clinic/domain';
import { amount } from '../../../shared/amount.ts';
import { behindSupervision } from '../api/use-ledgers.ts';
import { daysWords } from '../model.ts';
import { contactWords, SUPERVISION_WORDS, supervisedSessionsOf, supervisedShare } from '../supervision.ts';
import type { Column } from './figure-table.tsx';
import { LedgerSheet } from './ledger-sheet.tsx';

const atRisk = (row: SupervisionRow): boolean => row.at_risk;

const COLUMNS: readonly Column<SupervisionRow>[] = [
  { label: 'Needed', cell: ({ needed }) => amount(needed) },
  { label: 'Share', cell: (row) => `${supervisedShare(row)}%` },
  { label: 'Contacts', words: true, cell: contactWords },
  { label: 'At risk', words: true, cell: (row) => (atRisk(row) ? 'at risk' : '–'), strong: atRisk },
];

/** The month's supervision of every RBT at the location. */
export const SupervisionSheet = ({ reply, date }: { reply: SupervisionReply; date: IsoDate }) => (
  <LedgerSheet
    title="Supervision"
    caption="Supervision by RBT"
    who="RBT"
    about={`${daysWords(reply)}. Counted: supervision sessions that overlap one of the RBT’s sessions with the same client. At risk: too little supervision is booked this month.`}
    off={reply.off}
    words={SUPERVISION_WORDS}
    columns={COLUMNS}
    rows={reply.rows}
    empty={{ title: 'No RBTs', text: 'No RBT has direct sessions here this month.' }}
    behind={({ id }) => behindSupervision(id, date)}
    show={(sessions, _, figure) =>
      supervisedSessionsOf(sessions, figure, date).map((session) => ({
        ...session,
        words: `${session.client ?? 'A client at another location'}: ${duration(session.supervised)} of ${duration(session.direct)} supervised`,
      }))
    }
  />
);
