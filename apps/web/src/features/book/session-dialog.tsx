import { useId, useState } from 'react';
import type { LossBody } from '@clinic/contract';
import { isoDate, longDate, parseDate, type IsoDate, type Location } from '@clinic/domain';
import css from './session-dialog.module.css';
import { fieldsIn } from '../../shared/api/client.ts';
import type { ChosenOne } from '../../shared/choices/use-session-choices.ts';
import { StaleAlert } from '../../shared/edits/stale-alert.tsx';
import { useTheirs, type Again } from '../../shared/edits/use-theirs.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { readKept, useUnsaved } from '../../shared/unsaved/use-unsaved.ts';
import { useAppointmentWrites, useSeries } from './api/use-appointments.ts';
import { CancelAlert } from './components/cancel-alert.tsx';
import { ScopeChoice } from './components/scope-choice.tsx';
import { SessionHistory } from './components/session-history.tsx';
import { HoursHint } from './components/hours-hint.tsx';
import { SessionFooter } from './components/session-footer.tsx';
import { SessionFields } from './components/session-fields.tsx';
import { TherapistChoice } from './components/therapist-choice.tsx';
import { WriteFailure } from './components/write-failure.tsx';
import {
  FORM_LABELS,
  changedForm,
  formOf,
  newSession,
  problemsOf,
  problemsReported,
  toBody,
  type Scope,
  type SessionForm,
  type SessionSource,
} from './model.ts';

interface SessionDialogProps {
  /** The session to change; null for a new one. */
  source: SessionSource | null;
  location: Location;
  date: string;
  /**
   * Opens the options with a chosen therapist. `unsaved`: whether absences are selected on the calendar but not
   * recorded yet.
   */
  choosing: { ask: (choose: ChosenOne) => void; busy: boolean; unsaved: boolean };
  therapists: readonly string[];
  clients: readonly string[];
  /** Loads a session as it is stored now; null if it is no longer on the calendar's day. */
  loadSession: (key: string) => Promise<SessionSource | null>;
  onClose: () => void;
}

/**
 * The session as it was opened, and the form. What was typed before the login session ended is in the form again. If
 * someone else has saved the session first, `stale` is the question about their version, and `onTheirs` is called when
 * the form continues from it.
 */
function useOpenedForm({ source: opening, location, date, loadSession }: SessionDialogProps, onTheirs: () => void) {
  const [{ source, opened }, open] = useState<{ source: SessionSource | null; opened: SessionForm }>(() => ({
    source: opening,
    opened: opening ? formOf(opening) : newSession(date),
  }));
  const kept = `session:${source ? `${source.key}:${source.version}` : `${location}:${opened.date}`}`;
  const [form, setForm] = useState(() => readKept<SessionForm>(kept) ?? opened);
  const { refused, stale } = useTheirs<SessionSource, SessionForm>({
    labels: FORM_LABELS,
    formOf,
    before: opened,
    mine: () => form,
    onTake: (theirs, taken) => {
      open({ source: theirs, opened: formOf(theirs) });
      setForm(taken);
      onTheirs();
    },
  });
  const newest = async (): Promise<SessionSource | null> => source && loadSession(source.key);
  const refusedForVersion = (error: Error, again: Again<SessionSource, SessionForm>): void =>
    void refused(error, newest, again);
  return { source, opened, kept, form, setForm, refusedForVersion, stale };
}

/**
 * The form's state and what it sends: a booking, a change or a cancellation, for one session or also the later ones
 * in its series.
 */
function useSessionForm(props: SessionDialogProps) {
  const { location } = props;
  const { create, update, cancel } = useAppointmentWrites();
  const { source, opened, kept, form, setForm, refusedForVersion, stale } = useOpenedForm(props, () => {
    update.reset();
    cancel.reset();
  });
  const [shown, setShown] = useState(false);
  /** The form as it was last sent. The server's messages about its fields are shown until the form changes. */
  const [sent, setSent] = useState<SessionForm | null>(null);
  const [chosen, setScope] = useState<Scope>('one');
  const series = useSeries(source?.key ?? null);
  const busy = create.isPending || update.isPending || cancel.isPending;
  const error = create.error ?? update.error ?? cancel.error;
  const refused = sent === form ? problemsReported(fieldsIn(error)) : {};
  const later = series?.dates.length ?? 0;
  const scope: Scope = later > 0 ? chosen : 'one';
  const sessions = scope === 'following' ? later + 1 : 1;

  const done = (text: string, close: () => void, again: Again<SessionSource, SessionForm>) => ({
    onSuccess: () => {
      toast({ text });
      close();
    },
    onError: (failure: Error) => refusedForVersion(failure, again),
  });
  const save = (close: () => void, anyway = false, on = { source, form }): void => {
    setShown(true);
    if (busy || Object.keys(problemsOf(on.form)).length > 0) return;
    cancel.reset();
    setSent(on.form);
    const body = { ...toBody(on.form, location, on.source), ...(anyway ? { anyway } : {}) };
    const again: Again<SessionSource, SessionForm> = (theirs, taken) =>
      save(close, anyway, { source: theirs, form: taken });
    const saved = sessions > 1 ? `${sessions} sessions are saved.` : 'The session is saved.';
    const booked = body.weekly_until ? 'The weekly sessions are booked.' : 'The session is booked.';
    if (source) update.mutate({ key: source.key, body, scope }, done(saved, close, again));
    else create.mutate(body, done(booked, close, again));
  };
  const cancelSession = (
    familyTold: boolean,
    loss: LossBody | undefined,
    close: () => void,
    version = source?.version ?? null,
  ): void => {
    if (!source || busy) return;
    update.reset();
    const what = sessions > 1 ? `${sessions} sessions are cancelled.` : 'The session is cancelled.';
    const text = familyTold ? `Recorded: the family was told. ${what}` : what;
    const again = (theirs: SessionSource): void => cancelSession(familyTold, loss, close, theirs.version);
    cancel.mutate({ key: source.key, familyTold, loss, version, scope }, done(text, close, again));
  };
  const problems = shown ? { ...refused, ...problemsOf(form) } : {};
  const { mayClose, leave } = useUnsaved({
    edited: JSON.stringify(form) !== JSON.stringify(opened),
    saving: busy,
    about: source
      ? `Your changes to the session with ${source.client} are not saved yet.`
      : 'The session has not been booked yet.',
    keep: { key: kept, value: () => form },
  });
  return {
    form,
    mayClose,
    leave,
    setForm,
    problems,
    series,
    later,
    scope,
    setScope,
    sessions,
    busy,
    error,
    stale,
    save,
    cancelSession,
  };
}

/** The dialog that books, changes or cancels a session, with or without the later ones in its weekly series. */
export function SessionDialog(props: SessionDialogProps) {
  const { source, date, therapists, clients, onClose } = props;
  const formId = useId();
  const state = useSessionForm(props);
  const { series, scope, mayClose, leave } = state;
  /** Whether the family has been told; null while the cancel question is closed. */
  const [asked, setAsked] = useState<{ familyTold: boolean } | null>(null);

  return (
    <Dialog
      title={titleOf(source, parseDate(state.form.date) ?? isoDate(date))}
      width="40rem"
      className={css.dialog}
      onClose={onClose}
      mayClose={mayClose}
      footer={(close) => (
        <SessionFooter
          source={source}
          sessions={state.sessions}
          busy={state.busy}
          formId={formId}
          onCancel={(familyTold) => setAsked({ familyTold })}
          onClose={close}
        />
      )}
    >
      {(close) => (
        <>
          <form
            id={formId}
            className={css.form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              state.save(() => leave(close));
            }}
          >
            {state.error ? (
              <WriteFailure error={state.error} onAnyway={() => state.save(() => leave(close), true)} />
            ) : null}
            <SessionFields
              isNew={source === null}
              form={state.form}
              problems={state.problems}
              therapists={therapists}
              clients={clients}
              onChange={(changed) => state.setForm((now) => changedForm(now, changed))}
            />
            <TherapistChoice
              location={props.location}
              source={source}
              form={state.form}
              scope={scope}
              choosing={props.choosing}
              onChoose={({ therapist, ask }) => state.setForm((now) => changedForm(now, { therapist, ask }))}
              onOptions={(choose) => {
                leave(close);
                props.choosing.ask(choose);
              }}
            />
            <HoursHint location={props.location} date={state.form.date} therapist={state.form.therapist} />
            {series && state.later > 0 ? <ScopeChoice series={series} value={scope} onChange={state.setScope} /> : null}
            {source ? <SessionHistory sessionKey={source.key} location={props.location} /> : null}
          </form>
          {source && state.stale ? <StaleAlert name={`the session with ${source.client}`} {...state.stale} /> : null}
          {asked && source ? (
            <CancelAlert
              source={source}
              series={series}
              scope={scope}
              onClose={() => setAsked(null)}
              onCancel={(loss) => state.cancelSession(asked.familyTold, loss, () => leave(close))}
            />
          ) : null}
        </>
      )}
    </Dialog>
  );
}

/** Shows the form's own date, because the calendar behind an open form can move on to the next day. */
const titleOf = (source: SessionDialogProps['source'], day: IsoDate): string =>
  source ? `Session with ${source.client}` : `New session, ${longDate(day)}`;
