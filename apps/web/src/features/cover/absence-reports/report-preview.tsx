import { useQuery } from '@tanstack/react-query';
import type { OpenReport, ProposalReply } from '@clinic/contract';
import { isoDate, longDate, type Location } from '@clinic/domain';
import css from './reported-absences.module.css';
import { Button } from '../../../shared/ui/button.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { Skeleton } from '../../../shared/ui/states.tsx';
import { previewReport } from './api.ts';

/** A read-only view of the day's options as if the report were confirmed. */
export function ReportPreview({
  report,
  location,
  onClose,
}: {
  report: OpenReport;
  location: Location;
  onClose: () => void;
}) {
  const date = isoDate(report.from_date);
  const query = useQuery({
    queryKey: ['preview', report.id],
    queryFn: () => previewReport(report.id, location, date),
    gcTime: 0,
    staleTime: 0,
  });
  const { data, error } = query;
  return (
    <Dialog
      title={`Options without ${report.name}, ${longDate(date)}`}
      width="64rem"
      onClose={onClose}
      bar={error ? <LoadFailure what="the options" query={query} /> : null}
      footer={(close) => (
        <>
          <span className="muted">Only a preview: confirm the absence to submit an option.</span>
          <span className="grow" />
          <Button variant="primary" onClick={close}>
            Close
          </Button>
        </>
      )}
    >
      <div className={css.preview} tabIndex={0} role="region" aria-label="Options" aria-busy={!data && !error}>
        {data ? <PreviewTable reply={data} date={date} /> : error ? null : <Skeleton style={{ height: '8rem' }} />}
      </div>
    </Dialog>
  );
}

function PreviewTable({ reply, date }: { reply: ProposalReply; date: string }) {
  const clients = Object.entries(reply.data[date] ?? {});
  const options = [...new Set(clients.flatMap(([, of]) => Object.keys(of)))];
  if (clients.length === 0) return <p className="muted">Nothing would have to change that day.</p>;
  return (
    <DataTable
      caption="Options by client"
      className=""
      rows={clients}
      keyOf={([client]) => client}
      columns={[
        { head: 'Client', names: true, cell: ([client]) => client },
        ...options.map((option) => ({
          head: option,
          cell: ([, of]: (typeof clients)[number]) =>
            Object.entries(of[option] ?? {}).map(([slot, cell]) =>
              cell === null || typeof cell !== 'object' ? null : (
                <p key={slot}>
                  <b>{cell.therapist}</b> <span className="small muted">{slot}</span>
                </p>
              ),
            ),
        })),
      ]}
    />
  );
}
