import type { Cause } from '@clinic/contract';
import { CauseDialog } from '../features/causes/components/cause-dialog.tsx';
import { RequireAdmin } from '../shared/ui/require-admin.tsx';
import { useCauses } from '../shared/causes/use-causes.ts';
import { Button } from '../shared/ui/button.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Loading } from '../shared/ui/loading.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';
import { SIDE_WORDS } from '../shared/causes/model.ts';
import { ActiveChip } from '../shared/ui/active-chip.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { ScrollRegion } from '../shared/ui/scroll-region.tsx';
import { toast } from '../shared/ui/toast.tsx';
import { removeCause } from '../features/causes/api/causes.ts';
import { warn } from '../shared/use-act.ts';
import table from '../shared/ui/table.module.css';

/** For administrators of all locations: the causes of lost time that people choose from. */
export const CausesPage = () => (
  <RequireAdmin title="Reasons" everywhere>
    <Causes />
  </RequireAdmin>
);

function Causes() {
  const query = useCauses();
  const [open, setOpen, close] = useOpening<{ cause: Cause | null }>();
  return (
    <Page
      title="Reasons"
      toolbar={
        <>
          <h1>Reasons</h1>
          <span className="small muted">Reasons for absences and cancellations</span>
          <span className="grow" />
          <Button variant="primary" size="lg" onClick={() => setOpen({ cause: null })}>
            <Icon name="plus" />
            Add Reason
          </Button>
        </>
      }
    >
      <Sheet fills="parts">
        <Loading what="the reasons" query={query}>
          {(causes) => <CauseTable causes={causes} onEdit={(cause) => setOpen({ cause })} />}
        </Loading>
      </Sheet>
      {open ? <CauseDialog key={open.key} cause={open.value.cause} onClose={() => close(open.key)} /> : null}
    </Page>
  );
}

async function remove(cause: Cause): Promise<void> {
  try {
    const became = await removeCause(cause);
    toast({
      text:
        became === 'retired'
          ? `${cause.label} is in use, so it was retired: it is no longer offered, but existing records keep it.`
          : `${cause.label} is deleted.`,
    });
  } catch (error) {
    warn('the list')(error);
  }
}

const CauseTable = (props: { causes: readonly Cause[]; onEdit: (cause: Cause) => void }) => (
  <ScrollRegion label="Reasons" className={table.scroll}>
    <DataTable
      caption="Reasons"
      rows={props.causes}
      keyOf={({ id }) => id}
      tr={({ retired }) => ({ 'data-off': retired || undefined })}
      columns={[
        { head: 'Reason', cell: ({ label }) => label },
        {
          head: 'Caused by',
          cell: ({ lost_by }) => (lost_by === null ? 'The person who is away' : SIDE_WORDS[lost_by]),
        },
        { head: 'Status', cell: ({ retired }) => <ActiveChip unless={retired && 'Retired'} /> },
        {
          head: 'Change',
          unseen: true,
          td: () => ({ className: table.actions }),
          cell: (cause) => (
            <>
              <Button size="sm" onClick={() => props.onEdit(cause)}>
                {cause.retired ? 'Restore' : 'Edit'}
                <span className="sr"> {cause.label}</span>
              </Button>{' '}
              {cause.retired ? null : (
                <Button size="sm" single onClick={() => void remove(cause)}>
                  Remove<span className="sr"> {cause.label}</span>
                </Button>
              )}
            </>
          ),
        },
      ]}
    />
  </ScrollRegion>
);
