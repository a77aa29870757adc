import { REPORT_FIGURE_WORDS, type ReportSessions } from '@clinic/contract';
import { duration, isoDate, locationLabel, shortDate } from '@clinic/domain';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { Link } from '../../../shared/router/link.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { Loading } from '../../../shared/ui/loading.tsx';
import { useSessionsBehind, type Behind } from '../api/use-report.ts';
import type { Range } from '../model.ts';
import { ScrollRegion } from '../../../shared/ui/scroll-region.tsx';
import { timeWords } from '../../../shared/time-words.ts';
import css from './reports.module.css';

type Lost = ReportSessions['sessions'][number]['causes'][number];
const causeWords = ({ label, side, late }: Lost): string =>
  [label ?? 'No reason yet', SIDE_WORDS[side].toLowerCase(), ...(late ? ['late'] : [])].join(', ');

export function SessionsDialog({ range, of, onClose }: { range: Range; of: Behind; onClose: () => void }) {
  const query = useSessionsBehind(range, of);
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
          <Loading what="the sessions" query={query}>
            {({ sessions, count }) => (
              <>
                <ScrollRegion label="Sessions" className={css.scroll}>
                  <DataTable
                    caption="Sessions"
                    className={css.table}
                    rows={sessions}
                    keyOf={({ key }) => key}
                    columns={[
                      { head: 'Client', cell: ({ client }) => client },
                      {
                        head: 'When',
                        cell: ({ client, date, location, start, end }) => (
                          <Link to="/calendar" search={{ date: isoDate(date), location, view: 'client', find: client }}>
                            {shortDate(isoDate(date))}, {timeWords(start)} - {timeWords(end)}
                          </Link>
                        ),
                      },
                      { head: 'Therapist', cell: ({ therapist }) => therapist },
                      { head: 'Location', cell: ({ location }) => locationLabel(location) },
                      { head: REPORT_FIGURE_WORDS[of.figure], cell: ({ minutes }) => duration(minutes) },
                      { head: 'Reason', cell: ({ causes }) => causes.map(causeWords).join('; ') },
                    ]}
                  />
                </ScrollRegion>
                {count > sessions.length ? (
                  <p className="small muted">
                    {`The first ${sessions.length} of ${count} are shown. Choose a shorter range for the others.`}
                  </p>
                ) : null}
              </>
            )}
          </Loading>
        </div>
      )}
    </Dialog>
  );
}
