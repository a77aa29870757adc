import css from './workspace.module.css';
import { EmptyState } from '../../shared/ui/states.tsx';

/** Shown when the day cannot be loaded and no earlier day is on screen (CAL-09). */
export function UnloadedDay() {
  return (
    <div className={css.fill}>
      <EmptyState title="The day could not be loaded">Try again, or choose another day.</EmptyState>
    </div>
  );
}
