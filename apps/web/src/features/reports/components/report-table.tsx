import { GROUPING_WORDS, groupingTitle, REPORT_FIGURE_WORDS, type Grouping, type ReportGroup } from '@clinic/contract';
import { amount } from '../../../shared/amount.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
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
  return (
    <ScrollRegion label={groupingTitle(by)} className={css.scroll}>
      <DataTable
        caption={groupingTitle(by)}
        className={css.table}
        rows={groups}
        keyOf={({ key }) => key}
        columns={[
          { head: GROUPING_WORDS[by], names: true, cell: ({ label }) => label },
          {
            head: 'Bar',
            unseen: true,
            th: { className: css.chart },
            td: () => ({ 'aria-hidden': true }),
            cell: (group, index) => (
              <span className={css.bar}>
                {(['kept', 'lost', 'open'] as const).map((part) =>
                  group[part] > 0 ? (
                    <i key={part} className={css[part]} style={{ '--share': bars[index]?.[part] ?? 0 }} />
                  ) : null,
                )}
              </span>
            ),
          },
          { head: 'Sessions', cell: ({ sessions }) => sessions },
          ...figuresOf(by).map((figure) => ({
            head: REPORT_FIGURE_WORDS[figure],
            cell: ({ key, label, [figure]: minutes }: ReportGroup) => (
              <Figure behind={{ by, key, label, figure }} minutes={minutes} onOpen={onOpen} />
            ),
          })),
          ...(by === 'therapist' ? [{ head: 'Utilization', cell: utilization }] : []),
        ]}
      />
    </ScrollRegion>
  );
}
