import {
  GROUPING_WORDS,
  GROUPINGS,
  BILLABLE_WORDS,
  coveredBy,
  REPORT_FIGURE_WORDS,
  REPORT_FIGURES,
  type Grouping,
  type ReportFigure,
  type ReportReply,
} from '@clinic/contract';
import { isoDate, locationLabel, longDate, isLocation, duration } from '@clinic/domain';
import { saveReport, useReport, type Behind } from '../features/reports/api/use-report.ts';
import { ReportTable, Figure } from '../features/reports/components/report-table.tsx';
import { SessionsDialog } from '../features/reports/components/sessions-dialog.tsx';
import {
  rangeFault,
  rangeOf,
  readReportSearch,
  searchOf,
  ALL,
  rangesFor,
  utilization,
  type Range,
} from '../features/reports/model.ts';
import { saidWords } from '../shared/api/failure-words.ts';
import { useToday } from '../shared/clinic-clock.ts';
import { navigate, useSearch } from '../shared/router/history.ts';
import { usePickedLocation, useLocations } from '../shared/session/session-info.ts';
import { Button } from '../shared/ui/button.tsx';
import { LoadFailure } from '../shared/ui/load-failure.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { PrintedTitle } from '../shared/ui/printed-title.tsx';
import { Segmented } from '../shared/ui/segmented.tsx';
import { Notice, Skeleton } from '../shared/ui/states.tsx';
import { toast } from '../shared/ui/toast.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';
import { DateField } from '../shared/ui/date-field.tsx';
import { Options } from '../shared/ui/field.tsx';
import { PlainSelect } from '../shared/ui/plain-field.tsx';
import css from '../features/reports/components/reports.module.css';

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

/** The choice of a report's location and dates, with a list of common ranges. */
function RangeChoice({
  range,
  faulty,
  today,
  onChange,
}: {
  range: Range;
  /** Whether no report can cover the dates; the page says why. */
  faulty: boolean;
  today: Parameters<typeof rangesFor>[0];
  onChange: (range: Range) => void;
}) {
  const locations = useLocations();
  const { location, from, to } = range;
  const named = rangesFor(today);
  return (
    <div className={css.range}>
      <PlainSelect
        aria-label="Location"
        value={location ?? ALL}
        onChange={({ target }) =>
          onChange(isLocation(target.value) ? { from, to, location: target.value } : { from, to })
        }
      >
        <option value={ALL}>All locations</option>
        <Options of={locations.map(({ value, label }) => [value, label])} />
      </PlainSelect>
      <PlainSelect
        aria-label="Range"
        value={named.find((each) => each.from === from && each.to === to)?.label ?? ''}
        onChange={({ target }) => {
          const found = named.find(({ label }) => label === target.value);
          if (found) onChange({ ...range, from: found.from, to: found.to });
        }}
      >
        <option value="" disabled>
          Custom range
        </option>
        <Options of={named.map(({ label }) => [label, label])} />
      </PlainSelect>
      <DateField plain keeps label="From" value={from} onDate={(day) => onChange({ ...range, from: day })} />
      <DateField
        plain
        keeps
        label="To"
        value={to}
        aria-invalid={faulty || undefined}
        onDate={(day) => onChange({ ...range, to: day })}
      />
    </div>
  );
}

/** The figures that say how the range went; the others explain them. */
const FIRST: readonly ReportFigure[] = ['booked', 'kept', 'lost', 'open'];

/** The figures for the whole range, and how cover was shared among the therapists. */
function ReportTotals({ report, onOpen }: { report: ReportReply; onOpen: (of: Behind) => void }) {
  const { total, cover, off } = report;
  const load = (of: typeof cover.most): string => (of ? `${duration(of.minutes)}, ${coveredBy(of)}` : 'No one');
  const figure = (each: ReportFigure) => (
    <div key={each}>
      <dt>{REPORT_FIGURE_WORDS[each]}</dt>
      <dd>
        <Figure
          behind={{ by: 'total', key: '', label: total.label, figure: each }}
          minutes={total[each]}
          onOpen={onOpen}
        />
      </dd>
    </div>
  );
  return (
    <>
      <dl className={css.totals}>{FIRST.map(figure)}</dl>
      <dl className={css.others}>
        {REPORT_FIGURES.filter((each) => !FIRST.includes(each)).map(figure)}
        <div>
          <dt>Utilization</dt>
          <dd>{utilization(total)}</dd>
        </div>
      </dl>
      <p>
        <b>Cover by therapist</b>{' '}
        <span className="muted">
          {cover.most && cover.most.minutes > 0
            ? `most ${load(cover.most)}; median ${duration(cover.median)}; least ${load(cover.least)}`
            : 'none in this range'}
        </span>
      </p>
      <p className="muted small">{BILLABLE_WORDS}</p>
      {off.map(({ rule, words }) => (
        <p key={rule} className="muted small">
          {words}
        </p>
      ))}
    </>
  );
}
