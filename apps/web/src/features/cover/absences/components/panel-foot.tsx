import { useId } from 'react';
import { duration } from '@clinic/domain';
import { Button } from '../../../../shared/ui/button.tsx';
import type { Touched } from '../effects.ts';
import css from './absences-panel.module.css';

/** What the selected absences affect in total, and the panel's buttons. */
export function PanelFoot({
  touched,
  anyStored,
  saving,
  onClear,
  onSave,
}: {
  /** What the selected absences affect; null while no one is selected. */
  touched: Touched | null;
  /** Whether any absences are recorded for the day. */
  anyStored: boolean;
  saving: boolean;
  onClear: () => void;
  onSave: () => void;
}) {
  const id = useId();
  const stays = anyStored && touched !== null;
  return (
    <footer data-writes className={css.foot}>
      {touched ? (
        <dl className={css.tally} aria-live="polite">
          <dt>{touched.sessions === 1 ? 'session affected' : 'sessions affected'}</dt>
          <dd>{touched.sessions}</dd>
          <dt>of care</dt>
          <dd>{duration(touched.minutes)}</dd>
          <dt>{touched.families === 1 ? 'family' : 'families'}</dt>
          <dd>{touched.families}</dd>
        </dl>
      ) : null}
      {stays ? (
        <p className="small muted" id={id}>
          Clear All Absences empties the list above. Absences already recorded stay.
        </p>
      ) : null}
      <div className={css.acts}>
        <Button
          variant="ghost"
          size="lg"
          unavailable={touched === null}
          aria-describedby={stays ? id : undefined}
          onClick={onClear}
        >
          Clear All Absences
        </Button>
        <Button variant={touched ? 'primary' : 'default'} size="lg" unavailable={saving} onClick={onSave}>
          {saving ? 'Saving...' : 'Save Absences'}
        </Button>
      </div>
    </footer>
  );
}
