import { useId, useState } from 'react';
import { isoDate, longDate, parseDate, type IsoDate, type Location } from '@clinic/domain';
import { UNASSIGNED, type LossBody, type SeriesReply } from '@clinic/contract';
import { hoursBeside, useHours } from '../../shared/api/use-hours.ts';
import { useOnlyReads } from '../../shared/session/session-info.ts';
import { StaleAlert } from '../../shared/edits/stale-alert.tsx';
import { cx } from '../../shared/ui/class-names.ts';
import { Dialog, AlertDialog } from '../../shared/ui/dialog.tsx';
import { RepeatFields } from './components/repeat-fields.tsx';
import { RepeatsAlready } from './components/repeats-already.tsx';
import { ScopeChoice } from './components/scope-choice.tsx';
import { SessionHistory } from './components/session-history.tsx';
import { SwapChoice } from './components/swap-choice.tsx';
import { SessionFields } from './components/session-fields.tsx';
import { TherapistChoice } from './components/therapist-choice.tsx';
import { WriteFailure } from './components/write-failure.tsx';
import { changedForm, isChanged, isLost, problemsOf, cancelQuestion, type SessionSource, type Scope } from './model.ts';
import { useSessionForm, type SessionDialogProps } from './use-session-form.ts';
import { toSeries } from './weekly.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LossFields } from '../../shared/causes/loss-fields.tsx';
import css from './session-dialog.module.css';

/** The dialog that books, changes or cancels a session, with or without the later ones in its weekly series. */
export function SessionDialog(props: SessionDialogProps) {
  const { source, date, onClose } = props;
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
          weekly={state.form.weekly.length > 0}
          busy={state.busy}
          formId={formId}
          onCancel={(familyTold) => setAsked({ familyTold })}
          onClose={close}
        />
      )}
    >
      {(close) => (
        <>
          <SessionFormFields {...props} state={state} formId={formId} close={close} />
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

/** The form of the dialog: its fields, who could take the session, how it repeats, and its history. */
function SessionFormFields({
  source,
  location,
  therapists,
  clients,
  choosing,
  state,
  formId,
  close,
}: SessionDialogProps & { state: ReturnType<typeof useSessionForm>; formId: string; close: () => void }) {
  const { series, scope, leave } = state;
  const reads = useOnlyReads();
  return (
    <form
      id={formId}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        state.save(() => leave(close));
      }}
    >
      <fieldset className={css.form} disabled={reads}>
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
          location={location}
          source={source}
          form={state.form}
          scope={scope}
          choosing={choosing}
          onChoose={({ therapist, ask }) => state.setForm((now) => changedForm(now, { therapist, ask }))}
          onOptions={(choose) => {
            leave(close);
            choosing.ask(choose);
          }}
        />
        {source &&
        source.therapist !== UNASSIGNED &&
        !isLost(state.form) &&
        !isChanged(state.form, location, source) ? (
          <SwapChoice source={source} onDone={() => leave(close)} />
        ) : null}
        <HoursHint location={location} date={state.form.date} therapist={state.form.therapist} />
        <Repetition source={source} location={location} state={state} />
        {series && state.later > 0 ? <ScopeChoice series={series} value={scope} onChange={state.setScope} /> : null}
        {source ? <SessionHistory sessionKey={source.key} location={location} /> : null}
      </fieldset>
    </form>
  );
}

/** How a session repeats: fields for a new series, or what repeats on the calendar already. */
function Repetition({
  source,
  location,
  state,
}: {
  source: SessionSource | null;
  location: Location;
  state: ReturnType<typeof useSessionForm>;
}) {
  const { form, problems, series } = state;
  const fields =
    source === null || canRepeat(source, state, location) ? (
      <RepeatFields
        form={form}
        problems={problems}
        body={Object.keys(problemsOf(form)).length > 0 ? null : toSeries(form, location, source)}
        onChange={(changed) => state.setForm((now) => changedForm(now, changed))}
      />
    ) : null;
  if (source === null || series === undefined || series.goes_on !== undefined || isLost(form)) return fields;
  return (
    <RepeatsAlready sessionKey={source.key} location={location}>
      {fields}
    </RepeatsAlready>
  );
}

/** Whether a session on the calendar can become a series: it is saved as it is, takes place, and is in no series. */
const canRepeat = (
  source: SessionSource,
  { form, series }: Pick<ReturnType<typeof useSessionForm>, 'form' | 'series'>,
  location: Location,
): boolean =>
  series?.goes_on === undefined && series !== undefined && !isLost(form) && !isChanged(form, location, source);

/** Shows the form's own date, because the calendar behind an open form can move on to the next day. */
const titleOf = (source: SessionDialogProps['source'], day: IsoDate): string =>
  source ? `Session with ${source.client}` : `New session, ${longDate(day)}`;

/**
 * Shows the booked hours of the therapist chosen in the form, so that the coordinator sees them before saving. Renders
 * nothing until they have loaded.
 */
function HoursHint({ location, date, therapist }: { location: Location; date: string; therapist: string }) {
  const row = useHours(location, parseDate(date)).data?.rows.find((each) => each.name === therapist);
  return row ? (
    <p className={cx(css.whole, 'small muted')}>
      {therapist}: {hoursBeside(row)}
    </p>
  ) : null;
}

function SessionFooter({
  source,
  sessions,
  weekly,
  busy,
  formId,
  onCancel,
  onClose,
}: {
  /** The session to change; null for a new one. */
  source: SessionSource | null;
  /** How many sessions the change applies to. */
  sessions: number;
  /** Whether saving books a weekly series. */
  weekly: boolean;
  busy: boolean;
  formId: string;
  onCancel: (familyTold: boolean) => void;
  onClose: () => void;
}) {
  const save = weekly
    ? 'Book Weekly Sessions'
    : !source
      ? 'Add Session'
      : sessions > 1
        ? `Save ${sessions} Sessions`
        : 'Save Changes';
  return (
    <>
      {source ? (
        <Button data-writes variant="danger" unavailable={busy} onClick={() => onCancel(false)}>
          {sessions > 1 ? `Cancel ${sessions} Sessions` : 'Cancel Session'}
        </Button>
      ) : null}
      {source?.open ? (
        <Button data-writes unavailable={busy} onClick={() => onCancel(true)}>
          Family told: cancelled
        </Button>
      ) : null}
      <span className="grow" />
      <Button size="lg" onClick={onClose}>
        Close
      </Button>
      <Button data-writes size="lg" variant="primary" type="submit" form={formId} unavailable={busy}>
        {busy ? 'Saving...' : save}
      </Button>
    </>
  );
}

/** Asks before a session is cancelled. For a session in a series, also asks whether to cancel the later ones. */
function CancelAlert({
  source,
  series,
  scope,
  onClose,
  onCancel,
}: {
  source: SessionSource;
  series: SeriesReply | undefined;
  scope: Scope;
  onClose: () => void;
  onCancel: (loss: LossBody | undefined) => void;
}) {
  const [loss, setLoss] = useState<LossBody>();
  const { title, which, keep, cancel } = cancelQuestion(source, series, scope);
  return (
    <AlertDialog
      title={title}
      width="30rem"
      onClose={onClose}
      keep={keep}
      acts={[
        {
          text: cancel,
          danger: true,
          run: (close) => {
            close();
            onCancel(loss);
          },
        },
      ]}
    >
      <p className="muted">{which}</p>
      <LossFields value={loss} side="family" name={source.client} onChange={setLoss} />
    </AlertDialog>
  );
}
