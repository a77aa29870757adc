import { useState } from 'react';
import type { LossBody } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { fieldsIn } from '../../shared/api/client.ts';
import type { ChosenOne } from '../../shared/choices/use-session-choices.ts';
import { useTheirs, type Again } from '../../shared/edits/use-theirs.ts';
import { toast } from '../../shared/ui/toast.tsx';
import { readKept, useUnsaved } from '../../shared/unsaved/use-unsaved.ts';
import { useAppointmentWrites, useSeries } from './api/use-appointments.ts';
import {
  FORM_LABELS,
  formOf,
  newSession,
  othersIn,
  problemsOf,
  problemsReported,
  sessionsIn,
  toBody,
  type Drawn,
  type Scope,
  type SessionForm,
  type SessionSource,
} from './model.ts';
import { toSeries } from './weekly.ts';

export interface SessionDialogProps {
  /** The session to change; null for a new one. */
  source: SessionSource | null;
  /** What a new session starts from. */
  drawn?: Drawn | undefined;
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
function useOpenedForm(
  { source: opening, drawn, location, date, loadSession }: SessionDialogProps,
  onTheirs: () => void,
) {
  const [{ source, opened }, open] = useState<{ source: SessionSource | null; opened: SessionForm }>(() => ({
    source: opening,
    opened: opening ? formOf(opening) : { ...newSession(date), ...drawn },
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
export function useSessionForm(props: SessionDialogProps) {
  const { location } = props;
  const { create, update, cancel, repeat, busy, error, reset } = useAppointmentWrites();
  const { source, opened, kept, form, setForm, refusedForVersion, stale } = useOpenedForm(props, reset);
  const [shown, setShown] = useState(false);
  /** The form as it was last sent. The server's messages about its fields are shown until the form changes. */
  const [sent, setSent] = useState<SessionForm | null>(null);
  const [chosen, setScope] = useState<Scope>('one');
  const series = useSeries(source?.key ?? null);
  const refused = sent === form ? problemsReported(fieldsIn(error)) : {};
  const later = othersIn(series);
  const scope: Scope = later > 0 ? chosen : 'one';
  const sessions = sessionsIn(scope, series);

  /** @param text what is said once it is saved; null for a booking, which says it by itself */
  const done = (text: string | null, close: () => void, again: Again<SessionSource, SessionForm>) => ({
    onSuccess: () => {
      if (text !== null) toast({ text });
      close();
    },
    onError: (failure: Error) => refusedForVersion(failure, again),
  });
  const save = (close: () => void, anyway = false, on = { source, form }): void => {
    setShown(true);
    if (busy || Object.keys(problemsOf(on.form)).length > 0) return;
    reset();
    setSent(on.form);
    const weekly = toSeries(on.form, location, on.source);
    if (weekly)
      return repeat.mutate(
        weekly,
        done(null, close, () => {}),
      );
    const body = { ...toBody(on.form, location, on.source), ...(anyway ? { anyway } : {}) };
    const again: Again<SessionSource, SessionForm> = (theirs, taken) =>
      save(close, anyway, { source: theirs, form: taken });
    const saved = sessions > 1 ? `${sessions} sessions are saved.` : 'The session is saved.';
    if (source) update.mutate({ key: source.key, body, scope }, done(saved, close, again));
    else create.mutate(body, done(null, close, again));
  };
  const cancelSession = (
    familyTold: boolean,
    loss: LossBody | undefined,
    close: () => void,
    version = source?.version ?? null,
  ): void => {
    if (!source || busy) return;
    reset();
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
