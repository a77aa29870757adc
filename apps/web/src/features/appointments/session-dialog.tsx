import { useId, useState, type FormEvent } from 'react';
import { isoDate, longDate, type Location } from '@clinic/domain';
import css from './session-dialog.module.css';
import { fieldsIn } from '../../shared/api/client.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { useAppointmentWrites, useSeries } from './api/use-appointments.ts';
import { CancelAlert } from './components/cancel-alert.tsx';
import { ScopeChoice } from './components/scope-choice.tsx';
import { SessionFooter } from './components/session-footer.tsx';
import { SessionFields } from './components/session-fields.tsx';
import { WriteFailure } from './components/write-failure.tsx';
import {
  formOf,
  newSession,
  problemsOf,
  problemsTold,
  toBody,
  type Scope,
  type SessionForm,
  type SessionSource,
} from './model.ts';

/** Books a session, or changes or cancels an existing one, on its own or with the later ones of its weekly series. */
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
  /** The form as it was sent: messages about its fields apply until it changes. */
  const [sent, setSent] = useState<SessionForm | null>(null);
  const [chosen, setChosen] = useState<Scope>('one');
  /** Whether the question about cancelling is open, and whether the family has been notified. */
  const [asked, setAsked] = useState<{ familyTold: boolean } | null>(null);
  const series = useSeries(source?.key ?? null);
  const { create, update, cancel } = useAppointmentWrites();
  const busy = create.isPending || update.isPending || cancel.isPending;
  const error = create.error ?? update.error ?? cancel.error;
  const told = sent === form ? problemsTold(fieldsIn(error)) : {};
  const later = series?.dates.length ?? 0;
  const scope: Scope = later > 0 ? chosen : 'one';
  const sessions = scope === 'following' ? later + 1 : 1;

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
    cancel.reset();
    setSent(form);
    const body = toBody(form, location, source);
    if (!source)
      create.mutate(body, done(body.weekly_until ? 'The weekly sessions are booked.' : 'The session is booked.'));
    else
      update.mutate(
        { key: source.key, body, scope },
        done(sessions > 1 ? `${sessions} sessions are saved.` : 'The session is saved.'),
      );
  };
  const takeOut = (familyTold: boolean, close: () => void): void => {
    if (!source || busy) return;
    update.reset();
    const what = sessions > 1 ? `${sessions} sessions are cancelled.` : 'The session is cancelled.';
    cancel.mutate(
      { key: source.key, familyTold, version: source.version, scope },
      {
        onSuccess: () => {
          toast({ text: familyTold ? `Recorded: the family was told. ${what}` : what });
          close();
        },
      },
    );
  };

  return (
    <Dialog
      title={source ? `Session of ${source.client}` : `New session, ${longDate(isoDate(date))}`}
      width="40rem"
      className={css.dialog}
      onClose={onClose}
      footer={(close) => (
        <SessionFooter
          source={source}
          sessions={sessions}
          busy={busy}
          formId={formId}
          onCancel={(familyTold) => setAsked({ familyTold })}
          onClose={close}
        />
      )}
    >
      {(close) => (
        <>
          <form id={formId} className={css.form} noValidate onSubmit={(event) => save(event, close)}>
            {error ? <WriteFailure error={error} /> : null}
            <SessionFields
              isNew={source === null}
              form={form}
              problems={shown ? { ...told, ...problemsOf(form) } : {}}
              therapists={therapists}
              clients={clients}
              onChange={(part) => setForm((now) => ({ ...now, ...part }))}
            />
            {series && later > 0 ? <ScopeChoice series={series} value={scope} onChange={setChosen} /> : null}
          </form>
          {asked && source ? (
            <CancelAlert
              source={source}
              series={series}
              scope={scope}
              onClose={() => setAsked(null)}
              onCancel={() => takeOut(asked.familyTold, close)}
            />
          ) : null}
        </>
      )}
    </Dialog>
  );
}
