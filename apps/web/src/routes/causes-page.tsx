import type { Cause } from '@clinic/contract';
import { CauseDialog } from '../features/causes/components/cause-dialog.tsx';
import { CauseTable } from '../features/causes/components/cause-table.tsx';
import { RequireAdmin } from '../features/admin/components/require-admin.tsx';
import { useCauses } from '../shared/causes/use-causes.ts';
import { Button } from '../shared/ui/button.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Loading } from '../shared/ui/loading.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';

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
