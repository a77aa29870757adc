import { useState, type FormEvent } from 'react';
import { LONGEST_CAUSE, type Cause } from '@clinic/contract';
import { LOSS_SIDES, type LossSide } from '@clinic/domain';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Input, Select } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { saveCause } from '../api/causes.ts';
import css from './cause-dialog.module.css';

/** The dialog that adds or changes a cause, or makes a retired cause available again. */
export function CauseDialog({ cause, onClose }: { cause: Cause | null; onClose: () => void }) {
  const [label, setLabel] = useState(cause?.label ?? '');
  const [side, setSide] = useState<LossSide | null>(cause?.lost_by ?? null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (event: FormEvent, close: () => void): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      await saveCause(cause?.id ?? null, { label: label.trim(), lost_by: side });
      close();
    } catch (error) {
      setFailure(failureWords(error, 'the list'));
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
            maxLength={LONGEST_CAUSE}
            data-autofocus=""
            onChange={({ target }) => setLabel(target.value)}
          />
          <Select
            label="Usually caused by"
            value={side ?? ''}
            onChange={({ target }) => setSide(LOSS_SIDES.find((each) => each === target.value) ?? null)}
          >
            <option value="">The person who is away</option>
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
