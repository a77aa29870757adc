import { GROUPING_WORDS, GROUPINGS, type Grouping } from '@clinic/contract';
import { isoDate, locationLabel, longDate } from '@clinic/domain';
import { saveReport, useReport, type Behind } from '../features/reports/api/use-report.ts';
import { RangeChoice } from '../features/reports/components/range-choice.tsx';
import { ReportTable } from '../features/reports/components/report-table.tsx';
import { ReportTotals } from '../features/reports/components/report-totals.tsx';
import { SessionsDialog } from '../features/reports/components/sessions-dialog.tsx';
import css from '../features/reports/components/reports.module.css';
import { rangeFault, rangeOf, readReportSearch, searchOf, type Range } from '../features/reports/model.ts';
import { saidWords } from '../shared/api/failure-words.ts';
import { useToday } from '../shared/clinic-clock.ts';
import { navigate, useSearch } from '../shared/router/history.ts';
import { usePickedLocation } from '../shared/session/session-info.ts';
import { Button } from '../shared/ui/button.tsx';
import { LoadFailure } from '../shared/ui/load-failure.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { PrintedTitle } from '../shared/ui/printed-title.tsx';
import { Segmented } from '../shared/ui/segmented.tsx';
import { Notice, Skeleton } from '../shared/ui/states.tsx';
import { toast } from '../shared/ui/toast.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';

const OPTIONS = GROUPINGS.map((value) => ({ value, label: GROUPING_WORDS[value] }));

const titleOf = ({ location, from, to }: Range): string =>
  `Report, ${location === undefined ? 'all locations' : locationLabel(location)}, ${longDate(isoDate(from))} to ${longDate(isoDate(to))}`;

/** The buttons that save or print a report. */
const Copies = ({ unavailable, onSave }: { unavailable: boolean; onSave: (format: 'csv' | 'xlsx') => void }) => (
  <>
    <Button unavailable={unavailable} onClick={() => onSave('csv')}>
      CSV
    </Button>
    <Button unavailable={unavailable} onClick={() => onSave('xlsx')}>
      Excel
    </Button>
    <Button unavailable={unavailable} onClick={() => window.print()}>
      Print
    </Button>
  </>
);

/** Hours of care in a range of dates: booked, kept, lost and why. Clicking a figure shows its sessions. */
export function ReportsPage() {
  const search = readReportSearch(useSearch());
  const picked = usePickedLocation(search.location);
  const today = useToday(picked);
  const range = rangeOf(search, picked, today);
  const fault = range ? rangeFault(range) : null;
  const query = useReport(fault ? null : range);
  const { by } = search;
  const go = (next: Range, grouping: Grouping): void => {
    if (today) navigate({ search: searchOf(next, grouping, today), replace: true });
  };
  const [open, setOpen, close] = useOpening<Behind>();
  const save = (format: 'csv' | 'xlsx'): void => {
    if (!range) return;
    saveReport(range, format).catch((error: unknown) => {
      toast({ tone: 'warn', text: `The report was not downloaded. ${saidWords(error)} Try again.` });
    });
  };
  const report = fault ? undefined : query.data;
  return (
    <Page
      title="Reports"
      toolbar={
        <>
          <h1>Reports</h1>
          {range && today ? (
            <RangeChoice range={range} faulty={fault !== null} today={today} onChange={(next) => go(next, by)} />
          ) : null}
          <span className="grow" />
          <Copies unavailable={fault !== null} onSave={save} />
        </>
      }
    >
      <Sheet fills="scrolling">
        {range ? <PrintedTitle>{titleOf(range)}</PrintedTitle> : null}
        {fault ? (
          <Notice tone="warn" title={fault.title}>
            {fault.text}
          </Notice>
        ) : (
          <LoadFailure what="the report" query={query} />
        )}
        <div className={css.page} aria-busy={query.isFetching}>
          {report ? (
            <>
              <ReportTotals report={report} onOpen={setOpen} />
              <div className={css.head}>
                <Segmented
                  label="Group by"
                  value={by}
                  options={OPTIONS}
                  onChange={(next) => range && go(range, next)}
                />
                <p className={`${css.key} small muted`}>
                  {(['kept', 'lost', 'open'] as const).map((part) => (
                    <span key={part}>
                      <i className={css[part]} aria-hidden="true" />
                      {part}
                    </span>
                  ))}
                </p>
              </div>
              <ReportTable by={by} groups={report.groups[by]} onOpen={setOpen} />
            </>
          ) : fault || query.error ? null : (
            <Skeleton />
          )}
        </div>
      </Sheet>
      {open && range ? (
        <SessionsDialog key={open.key} range={range} of={open.value} onClose={() => close(open.key)} />
      ) : null}
    </Page>
  );
}
