import type { View } from '../features/calendar/bars.ts';
import css from './calendar-page.module.css';
import { Button } from '../shared/ui/button.tsx';
import { EmptyState } from '../shared/ui/states.tsx';

/** No row to show: because of what is looked for, or because nobody works, or no client is seen here. */
export function EmptyDay({
  find,
  onlyOpen,
  view,
  onAll,
}: {
  find: string;
  onlyOpen: boolean;
  view: View;
  onAll: () => void;
}) {
  const narrowed = find !== '' || onlyOpen;
  const title = find !== '' ? `Nobody fits “${find}”` : onlyOpen ? 'Nothing needs cover' : NOBODY[view];
  return (
    <div className={css.fill}>
      <EmptyState title={title} action={narrowed ? <Button onClick={onAll}>Show all rows</Button> : undefined}>
        {find !== '' ? 'Try fewer letters, the other view, or another location.' : 'Choose another day or location.'}
      </EmptyState>
    </div>
  );
}

const NOBODY: Record<View, string> = { therapist: 'Nobody works this day', client: 'No clients here this day' };

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
