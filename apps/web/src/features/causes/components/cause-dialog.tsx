import { LONGEST_CAUSE, type Cause } from '@clinic/contract';
import { LOSS_SIDES, type LossSide } from '@clinic/domain';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { useVersioned, type Versioned } from '../../../shared/edits/use-versioned.ts';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { FormDialog } from '../../../shared/ui/form-dialog.tsx';
import { reloadCause, saveCause } from '../api/causes.ts';

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
    <FormDialog
      title={cause?.label ?? 'New reason'}
      width="28rem"
      onClose={onClose}
      mayClose={mayClose}
      failure={failure === null ? null : { text: failure }}
      unavailable={busy || form.label.trim() === ''}
      onSubmit={(close) => void submit(close)}
      over={cause && stale ? <StaleAlert name={cause.label} {...stale} /> : null}
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
        <Options of={LOSS_SIDES.map((each) => [each, SIDE_WORDS[each]])} />
      </Select>
    </FormDialog>
  );
}
