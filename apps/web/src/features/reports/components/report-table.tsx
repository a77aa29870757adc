import {
  GROUPING_WORDS,
  groupingTitle,
  REPORT_FIGURE_WORDS,
  type Grouping,
  type ReportFigure,
  type ReportGroup,
} from '@clinic/contract';
import { amount } from '../../../shared/amount.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ScrollRegion } from '../../../shared/ui/scroll-region.tsx';
import type { Behind } from '../api/use-report.ts';
import { barsOf, figuresOf, utilization } from '../model.ts';
import css from './reports.module.css';

/** A figure in hours. Clicking it shows its sessions. */
export function Figure({ behind, minutes, onOpen }: { behind: Behind; minutes: number; onOpen: (of: Behind) => void }) {
  if (minutes === 0) return <span className="muted">{amount(0)}</span>;
  return (
    <Button variant="link" onClick={() => onOpen(behind)}>
      {amount(minutes)}
      <span className="sr">
        {' '}
        {REPORT_FIGURE_WORDS[behind.figure].toLowerCase()}, {behind.label}: show the sessions
      </span>
    </Button>
  );
}

/** A report's groups, each with a bar of its kept, lost and open hours. */
export function ReportTable({
  by,
  groups,
  onOpen,
}: {
  by: Grouping;
  groups: readonly ReportGroup[];
  onOpen: (of: Behind) => void;
}) {
  if (groups.length === 0) return <p className="muted">Nothing in this range.</p>;
  const bars = barsOf(groups);
  const figures: readonly ReportFigure[] = figuresOf(by);
  return (
    <ScrollRegion label={groupingTitle(by)} className={css.scroll}>
      <table className={css.table}>
        <caption className="sr">{groupingTitle(by)}</caption>
        <thead>
          <tr>
            <th scope="col">{GROUPING_WORDS[by]}</th>
            <th scope="col" className={css.chart}>
              <span className="sr">Bar</span>
            </th>
            <th scope="col">Sessions</th>
            {figures.map((figure) => (
              <th key={figure} scope="col">
                {REPORT_FIGURE_WORDS[figure]}
              </th>
            ))}
            {by === 'therapist' ? <th scope="col">Utilization</th> : null}
          </tr>
        </thead>
        <tbody>
          {groups.map((group, index) => (
            <tr key={group.key}>
              <th scope="row">{group.label}</th>
              <td aria-hidden="true">
                <span className={css.bar}>
                  {(['kept', 'lost', 'open'] as const).map((part) =>
                    group[part] > 0 ? (
                      <i key={part} className={css[part]} style={{ '--share': bars[index]?.[part] ?? 0 }} />
                    ) : null,
                  )}
                </span>
              </td>
              <td>{group.sessions}</td>
              {figures.map((figure) => (
                <td key={figure}>
                  <Figure
                    behind={{ by, key: group.key, label: group.label, figure }}
                    minutes={group[figure]}
                    onOpen={onOpen}
                  />
                </td>
              ))}
              {by === 'therapist' ? <td>{utilization(group)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
