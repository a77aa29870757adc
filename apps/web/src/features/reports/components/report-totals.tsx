import {
  BILLABLE_WORDS,
  coveredBy,
  REPORT_FIGURE_WORDS,
  REPORT_FIGURES,
  type ReportFigure,
  type ReportReply,
} from '@clinic/contract';
import { duration } from '@clinic/domain';
import type { Behind } from '../api/use-report.ts';
import { utilization } from '../model.ts';
import { Figure } from './report-table.tsx';
import css from './reports.module.css';

/** The figures that say how the range went; the others explain them. */
const FIRST: readonly ReportFigure[] = ['booked', 'kept', 'lost', 'open'];

/** The figures for the whole range, and how cover was shared among the therapists. */
export function ReportTotals({ report, onOpen }: { report: ReportReply; onOpen: (of: Behind) => void }) {
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
