import { useState } from 'react';
import type { AuthorizedCode, CareReply, CareRow } from '@clinic/contract';
import { duration, shortDate, type IsoDate } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { behindAuthorizations, behindCare } from '../api/use-ledgers.ts';
import { usingSessions } from '../authorizations.ts';
import {
  CARE_WORDS,
  careSessionsOf,
  careWords,
  causeWords,
  isNearlyUsed,
  isUsed,
  leftWords,
  lostShare,
  type LostBy,
} from '../care.ts';
import { daysWords } from '../model.ts';
import type { Column } from './figure-table.tsx';
import { LedgerSheet } from './ledger-sheet.tsx';
import { SessionsDialog } from './sessions-dialog.tsx';
import css from './ledger.module.css';

/** What a click in a client's row shows: the sessions that lost time to a cause, or those that used an authorization. */
type Opened = { readonly row: CareRow } & ({ readonly lost: LostBy } | { readonly used: AuthorizedCode });
type Open = (opened: Opened) => void;

const columnsOf = (onOpen: Open): Column<CareRow>[] => [
  {
    label: 'Lost by reason',
    words: true,
    cell: (row) =>
      row.lost_by.length === 0 ? (
        <span className="muted">–</span>
      ) : (
        <ul className={css.causes}>
          {row.lost_by.map((each) => (
            <li key={each.cause ?? ''}>
              <Button variant="link" onClick={() => onOpen({ row, lost: each })}>
                {causeWords(each)}: <span className={css.time}>{duration(each.minutes)}</span>
                <span className="sr">, lost, {row.name}: show the sessions</span>
              </Button>
            </li>
          ))}
        </ul>
      ),
  },
  { label: 'Percent lost', cell: (row) => (row.lost === 0 ? '–' : `${lostShare(row)}%`) },
  {
    label: 'Priority',
    cell: ({ priority, by_hand }) => `${priority}%${by_hand ? ', set by hand' : ''}`,
    strong: ({ priority }) => priority > 100,
  },
  {
    label: 'Authorized hours left',
    words: true,
    cell: (row) =>
      row.authorized === null ? (
        'not known'
      ) : row.authorized.length === 0 ? (
        <span className="muted">no care booked</span>
      ) : (
        <ul className={css.causes}>
          {row.authorized.map((each) => (
            <li key={each.authorization?.id ?? each.code} className={isNearlyUsed(each) ? css.short : undefined}>
              {isUsed(each) ? (
                <Button variant="link" onClick={() => onOpen({ row, used: each })}>
                  {leftWords(each)}
                  <span className="sr">, left, {row.name}: show the sessions</span>
                </Button>
              ) : (
                leftWords(each)
              )}
            </li>
          ))}
        </ul>
      ),
  },
];

/** Each client's care over four weeks, and their priority in a plan for the date. */
export function CareSheet({ reply, date }: { reply: CareReply; date: IsoDate }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const show = (sessions: ReturnType<typeof careSessionsOf>) =>
    sessions.map((session) => ({ ...session, words: careWords(session) }));
  return (
    <>
      <LedgerSheet
        title="Care"
        caption="Care by client"
        who="Client"
        about={`${daysWords(reply)}. The more care a client has lost, or would lose on the day itself if no one came, the higher their priority in new options. Authorized hours are shown for the codes of this care, as they stand before ${shortDate(date)}.`}
        off={reply.off}
        words={CARE_WORDS}
        columns={columnsOf(setOpened)}
        rows={reply.rows}
        empty={{ title: 'No clients', text: 'There are no clients at this location.' }}
        behind={({ id }) => behindCare(id, date)}
        show={(sessions, _, figure) => show(careSessionsOf(sessions, figure))}
      />
      {opened && 'lost' in opened ? (
        <SessionsDialog
          title={`${opened.row.name}: lost, ${causeWords(opened.lost)}`}
          behind={behindCare(opened.row.id, date)}
          show={(sessions) => show(careSessionsOf(sessions, { cause: opened.lost.cause }))}
          onClose={() => setOpened(null)}
        />
      ) : opened ? (
        <SessionsDialog
          title={`${opened.row.name}: used of ${opened.used.code}`}
          behind={behindAuthorizations(opened.row.id, date)}
          show={(sessions) => usingSessions(sessions, opened.used.authorization?.id)}
          onClose={() => setOpened(null)}
        />
      ) : null}
    </>
  );
}
