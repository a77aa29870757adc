import { useEffect, useRef, useState } from 'react';
import { UNASSIGNED } from '@clinic/contract';
import { parseDate, type Location } from '@clinic/domain';
import { ChoiceList, type Choice } from '../../../shared/choices/choice-list.tsx';
import { useSessionChoices, type ChosenOne } from '../../../shared/choices/use-session-choices.ts';
import { fromTimeField } from '../../../shared/time-field.ts';
import { Button } from '../../../shared/ui/button.tsx';
import css from '../session-dialog.module.css';
import {
  isChanged,
  isLost,
  problemsOf,
  whyNoOptions,
  type Scope,
  type SessionForm,
  type SessionSource,
} from '../model.ts';

/**
 * Everyone who could take the session in the form. For a session on the calendar, choosing a name opens the options
 * with that therapist pinned; a button beside the name only enters the name in the form. For a new session, choosing a
 * name enters it.
 */
export function TherapistChoice({
  location,
  source,
  form,
  scope,
  choosing,
  onChoose,
  onOptions,
}: {
  location: Location;
  /** The session on the calendar; null for a new session. */
  source: SessionSource | null;
  form: SessionForm;
  scope: Scope;
  choosing: { busy: boolean; unsaved: boolean };
  onChoose: (choice: Choice) => void;
  onOptions: (choose: ChosenOne) => void;
}) {
  // A time drawn in a child's row lacks only a therapist.
  const [open, setOpen] = useState(source === null && form.client !== '' && form.therapist === UNASSIGNED);
  const problems = problemsOf(form);
  const ready = !isLost(form) && !['client', 'date', 'start', 'end', 'subject'].some((field) => field in problems);
  const { client, start, end, subject } = form;
  const date = parseDate(form.date);
  const changed = source === null || isChanged(form, location, source);
  const typed = { session: { client, start, end: fromTimeField(end), subject } };
  const asked = date && { location, date, ...(source ? { key: source.key } : {}), ...(changed ? typed : {}) };
  const query = useSessionChoices(open && ready ? asked : null);
  const { box, move } = useMovingFocus(open, query.data !== undefined || query.isError);
  if (!ready || date === null) return null;
  const go = (to: boolean): void => {
    move();
    setOpen(to);
  };
  const enter = (choice: Choice): void => {
    onChoose(choice);
    if (source) return go(false);
    setOpen(false);
    // Then Enter books.
    box.current?.closest('dialog')?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  };
  const why = source && whyNoOptions({ form: changed, absences: choosing.unsaved }, scope);
  return (
    <div data-writes ref={box} className={css.whole}>
      {open ? (
        <>
          {why !== null && query.data?.choices.some((choice) => choice.possible) ? (
            <p className="small muted">{why}</p>
          ) : null}
          <ChoiceList
            query={query}
            location={location}
            date={date}
            busy={choosing.busy}
            {...(source && why === null
              ? {
                  onChoose: ({ id, ask }) =>
                    onOptions({ key: source.key, therapist: id, ...(ask === null ? {} : { ask: true }) }),
                  onEnter: enter,
                }
              : { onChoose: enter })}
          />
          <Button size="sm" variant="ghost" onClick={() => go(false)}>
            Back
          </Button>
        </>
      ) : (
        <>
          <Button size="sm" onClick={() => go(true)}>
            {form.therapist === UNASSIGNED ? 'Choose someone' : 'Choose someone else'}
          </Button>
          {form.ask == null ? null : <p className="small">{`${form.ask}: saving this adds a call to make.`}</p>}
        </>
      )}
    </div>
  );
}

/**
 * Moves the focus into the list once the list has loaded or failed to load, and back to the button that opened the list
 * when the list closes. Leaves it where somebody types meanwhile.
 */
function useMovingFocus(open: boolean, loaded: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const moving = useRef(open);
  useEffect(() => {
    if (!moving.current || (open && !loaded)) return;
    moving.current = false;
    if (document.activeElement?.matches('input, textarea, select:not([data-autofocus])')) return;
    box.current?.querySelector<HTMLElement>('li button, button')?.focus();
  }, [open, loaded]);
  return { box, move: () => void (moving.current = true) };
}
