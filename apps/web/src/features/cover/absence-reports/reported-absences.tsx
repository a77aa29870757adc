import type { OpenReport } from '@clinic/contract';
import { isoDate, shortDate, type IsoDate, type Location } from '@clinic/domain';
import css from './reported-absences.module.css';
import { useToday } from '../../../shared/clinic-clock.ts';
import { CAUSE_WORDS } from '../../../shared/own-causes.ts';
import { navigate } from '../../../shared/router/history.ts';
import { useShortcuts } from '../../../shared/shell/shortcuts.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { toast, type ToastSpec } from '../../../shared/ui/toast.tsx';
import { useOpening } from '../../../shared/ui/use-opening.ts';
import { timeWords } from '../../../shared/time-words.ts';
import { useAct } from '../../../shared/use-act.ts';
import { decideReport, useReports } from './api.ts';
import { ReportPreview } from './report-preview.tsx';

const when = (date: string, time: string): string => `${shortDate(isoDate(date))}, ${timeWords(time)}`;

/** Says what was decided. A confirmed absence leads to the options of its first day that is not past, and names its days. */
function decidedToast(
  { name, from_date, to_date }: OpenReport,
  what: 'confirm' | 'decline',
  location: Location,
  today: IsoDate | null,
): ToastSpec {
  if (what === 'decline') return { text: `${name}: report declined` };
  const days =
    from_date === to_date
      ? '.'
      : `, ${shortDate(isoDate(from_date))} to ${shortDate(isoDate(to_date))}. The week on Today shows which of these days need cover.`;
  const date = today !== null && from_date < today ? today : isoDate(from_date);
  return {
    text: `${name}: absence confirmed${days}`,
    stays: 20_000,
    action: {
      label: `Options for ${shortDate(date)}`,
      run: () => navigate({ to: '/calendar', search: { date, location, options: 'open' } }),
    },
  };
}

/** Absences that therapists reported themselves. A coordinator confirms, previews or declines each one. */
export function ReportedAbsences({
  location,
  date,
}: {
  location: Location;
  /** When set, only reports that include this date are shown. */
  date?: IsoDate;
}) {
  const query = useReports(location);
  const today = useToday(location);
  const reports = (query.data ?? []).filter((r) => date === undefined || (r.from_date <= date && date <= r.to_date));
  const { busy, act } = useAct('the list');
  const [preview, setPreview, closePreview] = useOpening<OpenReport>();
  const decide = (report: OpenReport, what: 'confirm' | 'decline'): void =>
    act(
      () => decideReport(report.id, location, what),
      () => toast(decidedToast(report, what, location, today)),
    );
  const [first] = reports;
  useShortcuts([
    {
      keys: 'y',
      writes: true,
      label: 'Confirm the first reported absence',
      group: 'Absences',
      run: () => first && decide(first, 'confirm'),
    },
  ]);
  if (reports.length === 0) return date ? null : <LoadFailure what="the reported absences" query={query} />;
  return (
    <section className={css.reports} aria-labelledby="reported">
      <h2 id="reported">
        {reports.length === 1 ? '1 reported absence to confirm' : `${reports.length} reported absences to confirm`}
      </h2>
      <ul>
        {reports.map((report, i) => (
          <li key={report.id}>
            <span>
              <b>{report.name}</b> <span className="muted">{CAUSE_WORDS[report.cause]}</span>
              <br />
              <span className="small muted">
                {when(report.from_date, report.from_time)} to {when(report.to_date, report.to_time)}
              </span>
            </span>
            <span data-writes className={css.acts}>
              <Button
                variant="primary"
                unavailable={busy}
                aria-keyshortcuts={i === 0 ? 'y' : undefined}
                single
                onClick={() => decide(report, 'confirm')}
              >
                {i === 0 ? <kbd aria-hidden="true">y</kbd> : null} Confirm<span className="sr"> {report.name}</span>
              </Button>
              <Button onClick={() => setPreview(report)}>
                Preview options<span className="sr"> without {report.name}</span>
              </Button>
              <Button variant="ghost" unavailable={busy} single onClick={() => decide(report, 'decline')}>
                Decline<span className="sr"> {report.name}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {preview ? (
        <ReportPreview
          key={preview.key}
          report={preview.value}
          location={location}
          onClose={() => closePreview(preview.key)}
        />
      ) : null}
    </section>
  );
}
