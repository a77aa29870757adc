import { useState } from 'react';
import { UNASSIGNED } from '@clinic/contract';
import { parseDate, type Location } from '@clinic/domain';
import { ChoiceList, type Choice } from '../../../shared/choices/choice-list.tsx';
import { useSessionChoices } from '../../../shared/choices/use-session-choices.ts';
import { fromTimeField } from '../../../shared/time-field.ts';
import { Button } from '../../../shared/ui/button.tsx';
import css from '../session-dialog.module.css';
import { isLost, problemsOf, type SessionForm } from '../model.ts';

/** Everyone who could take the session in the form. A click puts that therapist into the form. */
export function TherapistChoice({
  location,
  sessionKey,
  form,
  onChoose,
}: {
  location: Location;
  /** The session's key; undefined for a new session. */
  sessionKey: string | undefined;
  form: SessionForm;
  onChoose: (choice: Choice) => void;
}) {
  const [open, setOpen] = useState(false);
  const problems = problemsOf(form);
  const ready = !isLost(form) && !['client', 'date', 'start', 'end', 'subject'].some((field) => field in problems);
  const { client, start, end, subject } = form;
  const date = parseDate(form.date);
  const session = { client, start, end: fromTimeField(end), subject };
  const asked = date && { location, date, session, ...(sessionKey ? { key: sessionKey } : {}) };
  const query = useSessionChoices(open && ready ? asked : null);
  if (!ready || date === null) return null;
  return (
    <div className={css.whole}>
      {open ? (
        <ChoiceList
          query={query}
          location={location}
          date={date}
          busy={false}
          onChoose={(choice) => {
            onChoose(choice);
            setOpen(false);
          }}
        />
      ) : (
        <>
          <Button size="sm" onClick={() => setOpen(true)}>
            {form.therapist === UNASSIGNED ? 'Choose someone' : 'Choose someone else'}
          </Button>
          {form.ask == null ? null : <p className="small">{form.ask}: once saved, this is a call to make.</p>}
        </>
      )}
    </div>
  );
}
