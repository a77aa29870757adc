import { useState, type FormEvent } from 'react';
import { causesEndpoints, type Cause } from '@clinic/contract';
import { LOSS_SIDES, type LossSide } from '@clinic/domain';
import { RequireAdmin } from '../features/admin/components/require-admin.tsx';
import { LoadFailure } from '../features/admin/components/load-failure.tsx';
import css from '../features/admin/components/admin.module.css';
import { call } from '../shared/api/client.ts';
import { queryClient, queryKeys } from '../shared/api/query-client.ts';
import { SIDE_WORDS } from '../shared/causes/model.ts';
import { useCauses } from '../shared/causes/use-causes.ts';
import { Button } from '../shared/ui/button.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Input, Select } from '../shared/ui/field.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { Chip, Notice, Skeleton } from '../shared/ui/states.tsx';
import { toast } from '../shared/ui/toast.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';

/** The causes of lost time that people choose from; for administrators. */
export const CausesPage = () => (
  <RequireAdmin title="Causes">
    <Causes />
  </RequireAdmin>
);

function keep(causes: readonly Cause[]): void {
  queryClient.setQueryData(queryKeys.causes, causes);
}

async function remove({ id, label }: Cause): Promise<void> {
  try {
    const left = await call(causesEndpoints.removeCause, { params: { id } });
    keep(left);
    const retired = left.some((cause) => cause.id === id);
    toast({
      text: retired
        ? `${label} is in use, so it is retired: no longer offered, kept where it was said.`
        : `${label} is deleted.`,
    });
  } catch (error) {
    toast({ text: error instanceof Error ? error.message : 'Something went wrong.' });
  }
}

function Causes() {
  const query = useCauses();
  const [open, setOpen, close] = useOpening<{ cause: Cause | null }>();
  return (
    <Page
      title="Causes"
      toolbar={
        <>
          <h1>Causes</h1>
          <span className="small muted">Why time is lost: the choices for absences and cancellations</span>
          <span className="grow" />
          <Button variant="primary" size="lg" onClick={() => setOpen({ cause: null })}>
            <Icon name="plus" />
            Add Cause
          </Button>
        </>
      }
    >
      <Sheet className={css.sheet}>
        {query.error ? (
          <LoadFailure what="the causes" error={query.error} onRetry={() => void query.refetch()} />
        ) : null}
        {query.data ? (
          <CauseTable causes={query.data} onEdit={(cause) => setOpen({ cause })} />
        ) : query.error ? null : (
          <div className={css.wait} role="status" aria-label="Loading causes">
            <Skeleton />
          </div>
        )}
      </Sheet>
      {open ? <CauseDialog key={open.key} cause={open.value.cause} onClose={() => close(open.key)} /> : null}
    </Page>
  );
}

function CauseTable({ causes, onEdit }: { causes: readonly Cause[]; onEdit: (cause: Cause) => void }) {
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label="Causes">
      <table className={css.table}>
        <caption className="sr">Causes</caption>
        <thead>
          <tr>
            <th scope="col">Cause</th>
            <th scope="col">Caused by</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="sr">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {causes.map((cause) => (
            <tr key={cause.id} data-off={cause.retired || undefined}>
              <td>{cause.label}</td>
              <td>{cause.lost_by === null ? 'The side that is away' : SIDE_WORDS[cause.lost_by]}</td>
              <td>
                {cause.retired ? (
                  <Chip icon="slash">Retired</Chip>
                ) : (
                  <Chip tone="ok" icon="check">
                    Offered
                  </Chip>
                )}
              </td>
              <td className={css.right}>
                <Button size="sm" onClick={() => onEdit(cause)}>
                  {cause.retired ? 'Offer again' : 'Edit'}
                  <span className="sr"> {cause.label}</span>
                </Button>{' '}
                {cause.retired ? null : (
                  <Button size="sm" onClick={() => void remove(cause)}>
                    Remove<span className="sr"> {cause.label}</span>
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CauseDialog({ cause, onClose }: { cause: Cause | null; onClose: () => void }) {
  const [label, setLabel] = useState(cause?.label ?? '');
  const [side, setSide] = useState<LossSide | null>(cause?.lost_by ?? null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (event: FormEvent, close: () => void): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    const body = { label: label.trim(), lost_by: side };
    try {
      keep(
        cause === null
          ? await call(causesEndpoints.createCause, { body })
          : await call(causesEndpoints.updateCause, { params: { id: cause.id }, body }),
      );
      close();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Something went wrong.');
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={cause?.label ?? 'New cause'}
      width="28rem"
      onClose={onClose}
      bar={failure ? <Notice tone="error" title={failure} /> : null}
      footer={(close) => (
        <>
          <span className="grow" />
          <Button onClick={close}>Close</Button>
          <Button variant="primary" type="submit" form="cause-form" unavailable={busy || label.trim() === ''}>
            Save Changes
          </Button>
        </>
      )}
    >
      {(close) => (
        <form id="cause-form" className={css.form} noValidate onSubmit={(event) => void save(event, close)}>
          <Input
            label="Cause"
            value={label}
            maxLength={40}
            data-autofocus=""
            onChange={({ target }) => setLabel(target.value)}
          />
          <Select
            label="Caused by, unless someone says otherwise"
            value={side ?? ''}
            onChange={({ target }) => setSide(LOSS_SIDES.find((each) => each === target.value) ?? null)}
          >
            <option value="">The side that is away</option>
            {LOSS_SIDES.map((each) => (
              <option key={each} value={each}>
                {SIDE_WORDS[each]}
              </option>
            ))}
          </Select>
        </form>
      )}
    </Dialog>
  );
}
