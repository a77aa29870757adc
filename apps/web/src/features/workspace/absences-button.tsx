import { byPerson } from '../cover/absences/model.ts';
import { Button, Count } from '../../shared/ui/button.tsx';
import type { CalendarState } from './use-calendar-state.ts';
import css from './workspace.module.css';

/** Opens and closes the absences panel, and shows how many people are marked absent. */
export function AbsencesButton({ state }: { state: CalendarState }) {
  return (
    <Button
      variant="primary"
      size="lg"
      className={css.absences}
      data-absences=""
      aria-expanded={state.panel}
      onClick={() => state.setPanel(!state.panel)}
    >
      Absences
      {state.entries.length > 0 ? <Count>{byPerson(state.entries).length}</Count> : null}
    </Button>
  );
}
