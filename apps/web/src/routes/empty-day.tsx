import css from './calendar-page.module.css';
import { Button } from '../shared/ui/button.tsx';
import { EmptyState } from '../shared/ui/states.tsx';

/** No row to show: because of what is looked for, or because nobody works. */
export function EmptyDay({ find, onlyOpen, onAll }: { find: string; onlyOpen: boolean; onAll: () => void }) {
  const narrowed = find !== '' || onlyOpen;
  const title = find !== '' ? `Nobody fits “${find}”` : onlyOpen ? 'Nothing needs cover' : 'Nobody works this day';
  return (
    <div className={css.fill}>
      <EmptyState title={title} action={narrowed ? <Button onClick={onAll}>Show all rows</Button> : undefined}>
        {find !== '' ? 'Try fewer letters, the other view, or another location.' : 'Choose another day or location.'}
      </EmptyState>
    </div>
  );
}

/** CAL-09, when nothing was loaded before either. */
export function UnloadedDay() {
  return (
    <div className={css.fill}>
      <EmptyState title="The day could not be loaded">
        The calendar is as it was; nothing was changed. Try again, or choose another day.
      </EmptyState>
    </div>
  );
}
