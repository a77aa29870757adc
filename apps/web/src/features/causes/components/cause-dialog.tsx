import { LONGEST_CAUSE, type Cause } from '@clinic/contract';
import { LOSS_SIDES, type LossSide } from '@clinic/domain';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { useVersioned, type Versioned } from '../../../shared/edits/use-versioned.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Input, Select } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { reloadCause, saveCause } from '../api/causes.ts';
import css from './cause-dialog.module.css';

interface CauseForm {
  readonly label: string;
  readonly side: LossSide | null;
}
const LABELS = { label: 'Reason', side: 'Usually caused by' } as const;

const REWORDING =
  'Changes also apply to past records and reports. To keep what they say, remove this reason and add another.';

const storedAs = (cause: Cause | null): Versioned<CauseForm> => ({
  version: cause?.version ?? '',
  form: { label: cause?.label ?? '', side: cause?.lost_by ?? null },
});

/** The dialog that adds or changes a cause, or makes a retired cause available again. */
export function CauseDialog({ cause, onClose }: { cause: Cause | null; onClose: () => void }) {
  const { form, busy, failure, edit, save, stale, mayClose, leave } = useVersioned(storedAs(cause), {
    labels: LABELS,
    key: `cause:${cause?.id ?? 'new'}`,
    about: cause ? `Your changes to ${cause.label} are not saved yet.` : 'The reason has not been added yet.',
    look: 'the list',
    newest: async () => {
      const newest = cause && (await reloadCause(cause.id));
      return newest ? storedAs(newest) : null;
    },
  });
  const submit = (close: () => void): Promise<boolean> =>
    save(async ({ version, form: { label, side } }) => {
      await saveCause(cause?.id ?? null, { label: label.trim(), lost_by: side }, version);
      leave(close);
      return null;
    });
  return (
    <Dialog
      title={cause?.label ?? 'New reason'}
      width="28rem"
      onClose={onClose}
      mayClose={mayClose}
      bar={failure ? <Notice tone="error" title={failure} /> : null}
      footer={(close) => (
        <>
          <span className="grow" />
          <Button onClick={close}>Close</Button>
          <Button variant="primary" type="submit" form="cause-form" unavailable={busy || form.label.trim() === ''}>
            Save Changes
          </Button>
        </>
      )}
    >
      {(close) => (
        <>
          <form
            id="cause-form"
            className={css.form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void submit(close);
            }}
          >
            <Input
              label={LABELS.label}
              hint={cause ? REWORDING : undefined}
              value={form.label}
              maxLength={LONGEST_CAUSE}
              data-autofocus=""
              onChange={({ target }) => edit({ label: target.value })}
            />
            <Select
              label={LABELS.side}
              value={form.side ?? ''}
              onChange={({ target }) => edit({ side: LOSS_SIDES.find((each) => each === target.value) ?? null })}
            >
              <option value="">The person who is away</option>
              {LOSS_SIDES.map((each) => (
                <option key={each} value={each}>
                  {SIDE_WORDS[each]}
                </option>
              ))}
            </Select>
          </form>
          {cause && stale ? <StaleAlert name={cause.label} {...stale} /> : null}
        </>
      )}
    </Dialog>
  );
}
