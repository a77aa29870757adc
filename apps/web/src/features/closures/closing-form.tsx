// This file is over 250 lines because the form, its check and all that it previews are one screen.
import { useState } from 'react';
import type { ClosingPreview } from '@clinic/contract';
import { duration, locationLabel, parseDate, parseTime, type IsoDate, type Location } from '@clinic/domain';
import css from './closures.module.css';
import { failureWords } from '../../shared/api/failure-words.ts';
import { useCauses } from '../../shared/causes/use-causes.ts';
import { navigate } from '../../shared/router/history.ts';
import { useLocations } from '../../shared/session/session-info.ts';
import { Button } from '../../shared/ui/button.tsx';
import { DateField } from '../../shared/ui/date-field.tsx';
import { Checkbox, Input, Options, Select } from '../../shared/ui/field.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { useAct, warn } from '../../shared/use-act.ts';
import { closeLocations, reopenLocation, useClosingPreview, type ClosingBody } from './api.ts';
import { count, whenWords } from './words.ts';

/** What the form holds. Times are empty for the whole of the first or last day. */
export interface Draft {
  location: Location | 'all';
  from_date: string;
  from_time: string;
  to_date: string;
  to_time: string;
  name: string;
  cause: string;
  cancelVideo: boolean;
  cancelShort: boolean;
}

export const emptyDraft = (location: Location, date: IsoDate): Draft => ({
  location,
  from_date: date,
  from_time: '',
  to_date: date,
  to_time: '',
  name: '',
  cause: 'closed',
  cancelVideo: false,
  cancelShort: false,
});

/** The request that a draft makes; a sentence if something is missing. */
function bodyOf(draft: Draft, all: readonly Location[]): ClosingBody | string {
  const [from, to] = [parseDate(draft.from_date), parseDate(draft.to_date)];
  if (!from || !to) return 'Enter both dates.';
  if (to < from) return 'The last day is before the first.';
  const times = { from_time: draft.from_time || '00:00', to_time: draft.to_time || '24:00' };
  if (from === to && (parseTime(times.to_time) ?? 0) <= (parseTime(times.from_time) ?? 0))
    return 'The end is before the beginning.';
  const locations = draft.location === 'all' ? [...all] : [draft.location];
  // A name is needed to close, not to look.
  return {
    locations,
    from_date: from,
    to_date: to,
    ...times,
    name: draft.name.trim() || '…',
    cause: draft.cause || null,
    ...(draft.cancelVideo && { cancel_video: true }),
    ...(draft.cancelShort && { cancel_short: true }),
  };
}

/** The form that closes a location, with all that it would do. */
export function ClosingForm({
  draft,
  onChange,
  onDone,
}: {
  draft: Draft;
  onChange: (draft: Draft) => void;
  onDone: () => void;
}) {
  const own = useLocations();
  const body = bodyOf(
    draft,
    own.map(({ value }) => value),
  );
  const preview = useClosingPreview(typeof body === 'string' ? null : { ...body, name: '…' });
  // Stays while the next preview loads, so that a box keeps the focus.
  const [also, setAlso] = useState({ video: 0, short: 0 });
  if (preview.data && (preview.data.video !== also.video || preview.data.short !== also.short)) setAlso(preview.data);
  const place = draft.location === 'all' ? 'All locations' : locationLabel(draft.location);
  const { busy, tried, problem, close } = useClosing(body, draft.name, place, onDone);
  return (
    <div className={css.closing}>
      <Fields draft={draft} onChange={onChange} wrong={tried && draft.name.trim() === ''} />
      {typeof body === 'string' ? <p className="muted">{body}</p> : null}
      {typeof body === 'string' ? null : (
        <>
          <AlsoCancel
            sessions={also.video}
            which={['the session by video', `the ${also.video} sessions by video`]}
            checked={draft.cancelVideo}
            kept="They take place: nobody has to come for them."
            onChange={(cancelVideo) => onChange({ ...draft, cancelVideo })}
          />
          <AlsoCancel
            sessions={also.short}
            which={[
              'the session of which less than an hour is left',
              `the ${also.short} sessions of which less than an hour is left`,
            ]}
            checked={draft.cancelShort}
            kept="The rest takes place, before or after the closure."
            onChange={(cancelShort) => onChange({ ...draft, cancelShort })}
          />
        </>
      )}
      <LoadFailure what="what this would cancel" query={preview} />
      {preview.data && typeof body !== 'string' ? (
        <Effect preview={preview.data} name={draft.name.trim()} />
      ) : typeof body !== 'string' && !preview.error ? (
        <p className="muted">Looking at the sessions…</p>
      ) : null}
      {problem ? <Notice tone="error" title={problem} /> : null}
      <footer className={css.foot}>
        <p>
          <b>
            {place} closes {typeof body === 'string' ? '' : whenWords(body)}
          </b>
          <br />
          <span className="small muted">One act, one undo. Series, and everything after it, stay as they are.</span>
        </p>
        <Button
          variant="primary"
          size="lg"
          unavailable={busy || !preview.data || typeof body === 'string'}
          onClick={close}
        >
          {busy
            ? 'Closing…'
            : `Close ${place}${preview.data ? `, ${count(preview.data.sessions, 'session', 'sessions')}` : ''}`}
        </Button>
      </footer>
    </div>
  );
}

/** Closes the locations, says what was done, and offers to undo it. */
function useClosing(body: ClosingBody | string, name: string, place: string, onDone: () => void) {
  const { busy, act } = useAct('the closures');
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const close = (): void => {
    setTried(true);
    if (busy || typeof body === 'string' || name.trim() === '') return;
    setProblem(null);
    act(
      () => closeLocations(body),
      ({ closures, sessions, families, staff }) => {
        const [first] = body.locations;
        toast({
          text: `${place} is closed: ${count(sessions, 'session', 'sessions')} cancelled, ${count(families, 'family', 'families')} and ${staff} staff to tell.`,
          stays: 20_000,
          action: { label: 'Undo', run: () => reopenAll(closures, body.locations) },
          next: {
            label: 'Calls',
            run: () => navigate({ to: '/calls', search: { date: body.from_date, location: first } }),
          },
        });
        setTried(false);
        onDone();
      },
      (error) => setProblem(failureWords(error, 'the closures')),
    );
  };
  return { busy, tried, problem, close };
}

/** Reopens what one act has closed. */
function reopenAll(closures: readonly string[], locations: readonly Location[]): void {
  const all = closures.flatMap((id, i) => {
    const location = locations[i];
    return location ? [reopenLocation({ id, location, from: undefined })] : [];
  });
  Promise.all(all).then((list) => {
    const sum = list.reduce((total, { back }) => total + back, 0);
    toast({ text: `Open again: ${count(sum, 'session is', 'sessions are')} back.` });
  }, warn('the closures'));
}

function Fields({ draft, onChange, wrong }: { draft: Draft; onChange: (draft: Draft) => void; wrong: boolean }) {
  const own = useLocations();
  const causes = (useCauses().data ?? []).filter(({ lost_by, retired }) => lost_by === 'clinic' && !retired);
  const set = (part: Partial<Draft>): void => onChange({ ...draft, ...part });
  return (
    <div className={css.fields}>
      <Select
        label="Location"
        value={draft.location}
        onChange={({ target }) => {
          const found = own.find(({ value }) => value === target.value);
          set({ location: found?.value ?? 'all' });
        }}
      >
        <Options of={own.map(({ value, label }) => [value, label])} />
        {own.length > 1 ? <option value="all">All locations</option> : null}
      </Select>
      <DateField
        label="First day"
        value={draft.from_date}
        onDate={(date) => set({ from_date: date, ...(date > draft.to_date ? { to_date: date } : {}) })}
      />
      <Input
        label="From (empty: all day)"
        type="time"
        step={900}
        value={draft.from_time}
        onChange={({ target }) => set({ from_time: target.value })}
      />
      <DateField label="Last day" value={draft.to_date} onDate={(date) => set({ to_date: date })} />
      <Input
        label="Until (empty: all day)"
        type="time"
        step={900}
        value={draft.to_time}
        onChange={({ target }) => set({ to_time: target.value })}
      />
      <Input
        label="Name, as families will hear it"
        value={draft.name}
        maxLength={80}
        error={wrong ? 'Enter a name' : null}
        onChange={({ target }) => set({ name: target.value })}
      />
      <Select
        label="Reason"
        value={draft.cause}
        onChange={({ target }) => set({ cause: target.value })}
        hint="Counts as lost by the clinic."
      >
        <Options of={causes.map(({ id, label }) => [id, label])} />
      </Select>
    </div>
  );
}

/** Asks about sessions that a closure leaves, unless someone says otherwise. */
function AlsoCancel({
  sessions,
  which,
  checked,
  kept,
  onChange,
}: {
  sessions: number;
  which: readonly [one: string, several: string];
  checked: boolean;
  kept: string;
  onChange: (checked: boolean) => void;
}) {
  if (sessions === 0) return null;
  return (
    <div className={css.also}>
      <label>
        <Checkbox checked={checked} onChange={({ target }) => onChange(target.checked)} />
        <span>
          Cancel {sessions === 1 ? which[0] : which[1]}, too
          <br />
          <span className="small muted">{checked ? 'Their families are told as well.' : kept}</span>
        </span>
      </label>
    </div>
  );
}

function Effect({ preview, name }: { preview: ClosingPreview; name: string }) {
  const { sessions, minutes, families, staff, days, first, absences, words } = preview;
  return (
    <>
      <dl className={css.figures}>
        <div>
          <dt>sessions cancelled</dt>
          <dd>{sessions}</dd>
        </div>
        <div>
          <dt>lost, can be made up</dt>
          <dd>{duration(minutes)}</dd>
        </div>
        <div>
          <dt>families to tell, once each</dt>
          <dd>{families}</dd>
        </div>
        <div>
          <dt>staff to tell</dt>
          <dd>{staff}</dd>
        </div>
      </dl>
      <ul className={css.days}>
        {days.map((day) => (
          <Day
            key={`${day.location} ${day.date}`}
            day={day}
            named={days.some(({ location }) => location !== day.location)}
          />
        ))}
      </ul>
      {first.length > 0 ? (
        <section>
          <h2>First to ring</h2>
          <ul className={css.first}>
            {first.map((each) => (
              <li key={each.name}>
                <b>{each.time.split(' - ')[0]}</b>
                <span>
                  Family of {each.name}
                  <br />
                  <span className={each.phone === null ? 'small alarm' : 'small muted'}>
                    {each.phone ?? 'no number'}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <p className="small muted">Everybody is on the call list once it is closed.</p>
        </section>
      ) : null}
      {absences > 0 ? (
        <p className="small muted">{count(absences, 'absence', 'absences')} in this time; they stay recorded.</p>
      ) : null}
      <section>
        <h2>What families are told</h2>
        <p className={css.script}>{words.replaceAll('…', name === '' ? '(its name)' : name)}</p>
      </section>
    </>
  );
}

/** A date of the closure: how many sessions there are at once, by quarter hour, and what becomes of them. */
function Day({ day, named }: { day: ClosingPreview['days'][number]; named: boolean }) {
  const most = Math.max(1, ...day.load);
  const { sessions, families, staff, stay, already, from_time, to_time } = day;
  const when = whenWords({ from_date: day.date, to_date: day.date, from_time, to_time });
  const nothing = already.length > 0 ? `Already closed: ${already.join(', ')}` : 'Nothing booked';
  return (
    <li>
      <span>
        <b>{when}</b>
        {named ? <span className="small muted"> {locationLabel(day.location)}</span> : null}
      </span>
      <span className={css.load} aria-hidden="true">
        {day.load.map((n, i) => (
          <i key={i} style={{ '--v': n / most }} />
        ))}
      </span>
      <span>
        {sessions === 0 ? nothing : `${count(sessions, 'session', 'sessions')}, ${duration(day.minutes)}`}
        <br />
        <span className="small muted">
          {sessions === 0 ? '' : `${count(families, 'family', 'families')}, ${staff} staff`}
          {stay > 0 ? `${sessions === 0 ? '' : '; '}${stay} stay` : ''}
        </span>
      </span>
    </li>
  );
}
