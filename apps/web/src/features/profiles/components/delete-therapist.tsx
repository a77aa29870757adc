import { useState } from 'react';
import { TEXTS, type Conflict } from '@clinic/contract';
import { ApiError } from '../../../shared/api/client.ts';
import { conflictsIn } from '../../../shared/api/conflicts.ts';
import { SessionList } from '../../../shared/unfit/session-list.tsx';
import { AlertDialog } from '../../../shared/ui/dialog.tsx';
import { deleteTherapist } from '../api/use-profiles.ts';
import { deleteFailure, type DeleteFailure } from '../delete-failure.ts';
import { LogIn } from './log-in.tsx';
import css from './profile-form.module.css';

type Step = { kind: 'ask' } | { kind: 'booked'; appointments: Conflict[] } | { kind: 'failed'; failure: DeleteFailure };

/**
 * Asks before deleting a therapist. If the therapist has future sessions, lists them and offers to find cover for
 * them (PROF-11, PROF-12).
 */
export function DeleteTherapist({
  id,
  name,
  onDeleted,
  onClose,
}: {
  id: string;
  name: string;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const [step, setStep] = useState<Step>({ kind: 'ask' });
  const [busy, setBusy] = useState(false);

  const run = async (unassign: boolean): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await deleteTherapist(id, unassign);
      onDeleted();
    } catch (error) {
      const appointments = error instanceof ApiError && error.status === 409 ? conflictsIn(error.detail) : null;
      if (appointments && appointments.length > 0) setStep({ kind: 'booked', appointments });
      else setStep({ kind: 'failed', failure: deleteFailure(error, name) });
    } finally {
      setBusy(false);
    }
  };

  if (step.kind === 'failed') {
    const { title, text, login } = step.failure;
    return (
      <AlertDialog key="failed" title={title} width="32rem" onClose={onClose}>
        {text === null ? null : <p className="muted">{text}</p>}
        {login ? <LogIn /> : null}
      </AlertDialog>
    );
  }
  if (step.kind === 'booked') {
    return (
      <StillBooked
        key="booked"
        name={name}
        appointments={step.appointments}
        busy={busy}
        onClose={onClose}
        onDelete={() => void run(true)}
      />
    );
  }
  return (
    <AlertDialog
      key="ask"
      title={TEXTS.deleteConfirm}
      width="32rem"
      onClose={onClose}
      keep="Keep"
      acts={[{ text: 'Delete', danger: true, unavailable: busy, run: () => void run(false) }]}
    >
      <p className="muted">
        {`${name} will be removed from the clinic’s calendar. Past sessions, and any in progress now, stay as they are.`}
      </p>
    </AlertDialog>
  );
}

/** The therapist's future sessions, and a button that deletes the therapist anyway. */
function StillBooked({
  name,
  appointments,
  busy,
  onClose,
  onDelete,
}: {
  name: string;
  appointments: readonly Conflict[];
  busy: boolean;
  onClose: () => void;
  onDelete: () => void;
}) {
  const n = appointments.length;
  const sessions = n === 1 ? '1 appointment' : `${n} appointments`;
  const act = `Delete, leave ${n === 1 ? 'it' : 'them'} without a therapist`;
  return (
    <AlertDialog
      title={`${TEXTS.deleteFailed} ${name} still has ${sessions} on the calendar.`}
      width="40rem"
      onClose={onClose}
      keep={`Keep ${name}`}
      acts={[{ text: act, danger: true, unavailable: busy, run: onDelete }]}
    >
      <div className={css.gap}>
        <p className="muted">
          Nothing has been deleted yet. Give these sessions to other therapists on the calendar first. If you delete
          anyway, they stay on the calendar without a therapist, and new options include them.
        </p>
        <SessionList label="Upcoming appointments" sessions={appointments} who="client" />
      </div>
    </AlertDialog>
  );
}
