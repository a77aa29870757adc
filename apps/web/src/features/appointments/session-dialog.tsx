import { useId, useState, type FormEvent } from 'react';
import { UNASSIGNED } from '@clinic/contract';
import { isoDate, longDate, type Location } from '@clinic/domain';
import css from './session-dialog.module.css';
import { ApiError } from '../../shared/api/client.ts';
import { conflictsIn } from '../../shared/api/conflicts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Input, Select } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { useAppointmentWrites } from './api/use-appointments.ts';
import {
  STATUSES,
  SUBJECTS,
  formOf,
  newSession,
  problemsOf,
  toBody,
  type SessionForm,
  type SessionSource,
} from './model.ts';

const withOwn = (names: readonly string[], own: string): readonly string[] =>
  own === '' || names.includes(own) ? names : [own, ...names];

/** Books a session, or changes or cancels one that is there. */
export function SessionDialog({
  source,
  location,
  date,
  therapists,
  clients,
  onClose,
}: {
  /** Null for a new session. */
  source: SessionSource | null;
  location: Location;
  date: string;
  therapists: readonly string[];
  clients: readonly string[];
  onClose: () => void;
}) {
  const formId = useId();
  const [form, setForm] = useState<SessionForm>(() => (source ? formOf(source) : newSession(date)));
  const [shown, setShown] = useState(false);
  const { create, update, cancel } = useAppointmentWrites();
  const busy = create.isPending || update.isPending || cancel.isPending;
  const error = create.error ?? update.error ?? cancel.error;
  const problems = shown ? problemsOf(form) : {};
  const set = (part: Partial<SessionForm>): void => setForm((now) => ({ ...now, ...part }));

  const save = (event: FormEvent, close: () => void): void => {
    event.preventDefault();
    setShown(true);
    if (busy || Object.keys(problemsOf(form)).length > 0) return;
    const done = (text: string) => ({
      onSuccess: () => {
        toast({ text });
        close();
      },
    });
    const body = toBody(form, location, source);
    if (source) update.mutate({ key: source.key, body }, done('The session is saved.'));
    else create.mutate(body, done(body.weekly_until ? 'The weekly sessions are booked.' : 'The session is booked.'));
  };
  const takeOut = (familyTold: boolean, close: () => void): void => {
    if (!source || busy) return;
    cancel.mutate(
      { key: source.key, familyTold, version: source.version },
      {
        onSuccess: () => {
          toast({
            text: familyTold ? 'Recorded: the family was told, the session is cancelled.' : 'The session is cancelled.',
          });
          close();
        },
      },
    );
  };

  return (
    <Dialog
      title={source ? `Session of ${source.client}` : `New session, ${longDate(isoDate(date))}`}
      width="40rem"
      onClose={onClose}
      footer={(close) => (
        <>
          {source ? (
            <Button variant="danger" unavailable={busy} onClick={() => takeOut(false, close)}>
              Cancel Session
            </Button>
          ) : null}
          {source?.open ? (
            <Button unavailable={busy} onClick={() => takeOut(true, close)}>
              Family told: cancelled
            </Button>
          ) : null}
          <span className="grow" />
          <Button size="lg" onClick={close}>
            Close
          </Button>
          <Button size="lg" variant="primary" type="submit" form={formId} unavailable={busy}>
            {busy ? 'Saving...' : source ? 'Save Changes' : 'Add Session'}
          </Button>
        </>
      )}
    >
      {(close) => (
        <form id={formId} className={css.form} noValidate onSubmit={(event) => save(event, close)}>
          {error ? (
            <div className={css.problem}>
              <Notice tone="error" title={error.message}>
                {error instanceof ApiError
                  ? conflictsIn(error.detail)
                      ?.map((c) => `${c.therapist}, ${c.time}${c.why ? `: ${c.why}` : ''}`)
                      .join('; ')
                  : 'Nothing is known to be saved. Look at the calendar before you try again.'}
              </Notice>
            </div>
          ) : null}
          <div className={css.half}>
            <Select
              label="Client"
              value={form.client}
              error={problems.client}
              data-autofocus={source ? undefined : ''}
              onChange={(event) => set({ client: event.target.value })}
            >
              <option value="">Choose a client</option>
              {withOwn(clients, form.client).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          </div>
          <div className={css.half}>
            <Select
              label="Therapist"
              value={form.therapist}
              data-autofocus={source ? '' : undefined}
              onChange={(event) => set({ therapist: event.target.value })}
            >
              <option>{UNASSIGNED}</option>
              {withOwn(therapists, form.therapist === UNASSIGNED ? '' : form.therapist).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          </div>
          <div className={css.third}>
            <Input
              label="Date"
              type="date"
              value={form.date}
              error={problems.date}
              onChange={(event) => set({ date: event.target.value })}
            />
          </div>
          <div className={css.third}>
            <Input
              label="From"
              type="time"
              step={900}
              value={form.start}
              error={problems.start}
              onChange={(event) => set({ start: event.target.value })}
            />
          </div>
          <div className={css.third}>
            <Input
              label="To"
              type="time"
              step={900}
              value={form.end}
              error={problems.end}
              onChange={(event) => set({ end: event.target.value })}
            />
          </div>
          <div className={css.half}>
            <Input
              label="Subject"
              list={`${formId}-subjects`}
              value={form.subject}
              error={problems.subject}
              onChange={(event) => set({ subject: event.target.value })}
            />
            <datalist id={`${formId}-subjects`}>
              {SUBJECTS.map((subject) => (
                <option key={subject} value={subject} />
              ))}
            </datalist>
          </div>
          <div className={css.half}>
            {source ? (
              <Select
                label="Status"
                value={form.status}
                onChange={(event) => set({ status: STATUSES.find((s) => s === event.target.value) ?? 'Scheduled' })}
              >
                {STATUSES.map((status) => (
                  <option key={status}>{status}</option>
                ))}
              </Select>
            ) : (
              <Input
                label="Weekly until (left empty: once)"
                type="date"
                min={form.date}
                value={form.weeklyUntil}
                error={problems.weeklyUntil}
                onChange={(event) => set({ weeklyUntil: event.target.value })}
              />
            )}
          </div>
        </form>
      )}
    </Dialog>
  );
}
