import { BILLABLE_WORDS, coveredBy, REPORT_FIGURE_WORDS, REPORT_FIGURES, type ReportReply } from '@clinic/contract';
import { duration } from '@clinic/domain';
import type { Behind } from '../api/use-report.ts';
import { utilization } from '../model.ts';
import { Figure } from './report-table.tsx';
import css from './reports.module.css';

/** The figures for the whole range, and how cover was shared among the therapists. */
export function ReportTotals({ report, onOpen }: { report: ReportReply; onOpen: (of: Behind) => void }) {
  const { total, cover, off } = report;
  const load = (of: typeof cover.most): string => (of ? `${duration(of.minutes)}, ${coveredBy(of)}` : 'No one');
  return (
    <>
      <dl className={css.totals}>
        {REPORT_FIGURES.map((figure) => (
          <div key={figure}>
            <dt>{REPORT_FIGURE_WORDS[figure]}</dt>
            <dd>
              <Figure
                behind={{ by: 'total', key: '', label: total.label, figure }}
                minutes={total[figure]}
                onOpen={onOpen}
              />
            </dd>
          </div>
        ))}
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
