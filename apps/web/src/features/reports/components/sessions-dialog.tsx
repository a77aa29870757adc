import { REPORT_FIGURE_WORDS } from '@clinic/contract';
import { clockTime, duration, isoDate, locationLabel, parseTime, shortDate } from '@clinic/domain';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { Link } from '../../../shared/router/link.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { Skeleton } from '../../../shared/ui/states.tsx';
import { useSessionsBehind, type Behind } from '../api/use-report.ts';
import type { Range } from '../model.ts';
import { ScrollRegion } from '../../../shared/ui/scroll-region.tsx';
import css from './reports.module.css';

const time = (text: string): string => clockTime(parseTime(text) ?? 0);

export function SessionsDialog({ range, of, onClose }: { range: Range; of: Behind; onClose: () => void }) {
  const query = useSessionsBehind(range, of);
  const found = query.data;
  return (
    <Dialog
      title={`${REPORT_FIGURE_WORDS[of.figure]}: ${of.label}`}
      width="60rem"
      onClose={onClose}
      footer={(close) => (
        <>
          <span className="grow" />
          <Button onClick={close}>Close</Button>
        </>
      )}
    >
      {() => (
        <div className={css.sessions}>
          <LoadFailure what="the sessions" query={query} />
          {found ? (
            <ScrollRegion label="Sessions" className={css.scroll}>
              <table className={css.table}>
                <caption className="sr">Sessions</caption>
                <thead>
                  <tr>
                    <th scope="col">Client</th>
                    <th scope="col">When</th>
                    <th scope="col">Therapist</th>
                    <th scope="col">Location</th>
                    <th scope="col">{REPORT_FIGURE_WORDS[of.figure]}</th>
                    <th scope="col">Reason</th>
                  </tr>
                </thead>
                <tbody>
                  {found.sessions.map((session) => (
                    <tr key={session.key}>
                      <td>{session.client}</td>
                      <td>
                        <Link
                          to="/calendar"
                          search={{
                            date: isoDate(session.date),
                            location: session.location,
                            view: 'client',
                            find: session.client,
                          }}
                        >
                          {shortDate(isoDate(session.date))}, {time(session.start)} - {time(session.end)}
                        </Link>
                      </td>
                      <td>{session.therapist}</td>
                      <td>{locationLabel(session.location)}</td>
                      <td>{duration(session.minutes)}</td>
                      <td>
                        {session.causes
                          .map(({ label, side, late }) =>
                            [label ?? 'No reason yet', SIDE_WORDS[side].toLowerCase(), ...(late ? ['late'] : [])].join(
                              ', ',
                            ),
                          )
                          .join('; ')}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          ) : query.error ? null : (
            <Skeleton />
          )}
          {found && found.count > found.sessions.length ? (
            <p className="small muted">
              {`The first ${found.sessions.length} of ${found.count} are shown. Choose a shorter range for the others.`}
            </p>
          ) : null}
        </div>
      )}
    </Dialog>
  );
}
