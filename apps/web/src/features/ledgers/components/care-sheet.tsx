import { useState } from 'react';
import type { CareReply, CareRow } from '@clinic/contract';
import { duration, type IsoDate } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { behindCare } from '../api/use-ledgers.ts';
import { CARE_WORDS, careSessionsOf, careWords, causeWords, lostShare, type LostBy } from '../care.ts';
import { daysWords } from '../model.ts';
import type { Column } from './figure-table.tsx';
import { LedgerSheet } from './ledger-sheet.tsx';
import { SessionsDialog } from './sessions-dialog.tsx';
import css from './ledger.module.css';

type Open = (row: CareRow, lost: LostBy) => void;

const columnsOf = (onOpen: Open): Column<CareRow>[] => [
  {
    label: 'Lost by cause',
    cell: (row) =>
      row.lost_by.length === 0 ? (
        <span className="muted">none</span>
      ) : (
        <ul className={css.causes}>
          {row.lost_by.map((each) => (
            <li key={each.cause ?? ''}>
              <Button variant="link" onClick={() => onOpen(row, each)}>
                {causeWords(each)}: <span className={css.time}>{duration(each.minutes)}</span>
                <span className="sr">, lost, {row.name}: show the sessions</span>
              </Button>
            </li>
          ))}
        </ul>
      ),
  },
  { label: 'Percent lost', cell: (row) => `${lostShare(row)}%` },
  {
    label: 'Priority',
    cell: ({ priority, by_hand }) => `${priority}%${by_hand ? ', set by hand' : ''}`,
    strong: ({ priority }) => priority > 100,
  },
  { label: 'Authorized', cell: ({ authorized }) => (authorized === null ? 'not known' : duration(authorized)) },
  {
    label: 'Authorized hours left',
    cell: ({ left }) => (left === null ? 'not known' : duration(left)),
    strong: ({ left }) => left === 0,
  },
];

/** Each client's care over four weeks, and their priority in a plan for the date. */
export function CareSheet({ reply, date }: { reply: CareReply; date: IsoDate }) {
  const [opened, setOpened] = useState<{ row: CareRow; lost: LostBy } | null>(null);
  const show = (sessions: ReturnType<typeof careSessionsOf>) =>
    sessions.map((session) => ({ ...session, words: careWords(session) }));
  return (
    <>
      <LedgerSheet
        title="Care"
        caption="Care by client"
        who="Client"
        about={`${daysWords(reply)}. The more care a client has lost, or would lose on the day itself if no one came, the higher their priority in new options.`}
        off={reply.off}
        words={CARE_WORDS}
        columns={columnsOf((row, lost) => setOpened({ row, lost }))}
        rows={reply.rows}
        empty={{ title: 'No clients', text: 'There are no clients at this location.' }}
        behind={({ id }) => behindCare(id, date)}
        show={(sessions, _, figure) => show(careSessionsOf(sessions, figure))}
      />
      {opened ? (
        <SessionsDialog
          title={`${opened.row.name}: lost, ${causeWords(opened.lost)}`}
          behind={behindCare(opened.row.id, date)}
          show={(sessions) => show(careSessionsOf(sessions, { cause: opened.lost.cause }))}
          onClose={() => setOpened(null)}
        />
      ) : null}
    </>
  );
}
