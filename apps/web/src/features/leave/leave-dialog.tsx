// This file is over 250 lines because to end a leave and to change it are two halves of one dialog.
import { useState } from 'react';
import type { LeaveFrom, LeaveOutcome, LeaveRange, StoredAbsence } from '@clinic/contract';
import { dayOfWeek, isoDate, listWords, parseTime, shortDate, type IsoDate, type Location } from '@clinic/domain';
import css from './leave.module.css';
import { failureWords, saidWords } from '../../shared/api/failure-words.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { asksAboutCover, changeLeave, doneToast, endLeave, useEndPreview, type EndBody } from './api.ts';
import { RangeFields } from './leave-dates.tsx';
import { rangeWords } from './words.ts';
import { Times } from './times.tsx';

type Scope = 'date' | 'from' | 'all';
type Cover = NonNullable<EndBody['cover']>;

/**
 * Changes or ends an absence over several dates: on this day only, from this day on, or on all dates. Before an end, says
 * what comes back and what stays with others.
 */
export function LeaveDialog({
  absence,
  leave,
  location,
  date,
  onClose,
}: {
  absence: StoredAbsence;
  leave: LeaveRange & { readonly id: string };
  location: Location;
  date: IsoDate;
  onClose: () => void;
}) {
  const { name, type } = absence;
  const [scope, setScope] = useState<Scope>('from');
  const { busy, problem, run } = useRun(location, leave.id);
  const day = shortDate(date);
  const isOn = leave.weekdays.includes(dayOfWeek(date));
  return (
    <Dialog title={`${name}: ${rangeWords(leave)}`} width="36rem" onClose={onClose}>
      {(close) => (
        <div className={css.parts}>
          <Segmented
            label="Which dates"
            value={scope}
            options={[
              ...(isOn ? [{ value: 'date' as const, label: `Only ${day}` }] : []),
              { value: 'from', label: `From ${day} on` },
              { value: 'all', label: 'All dates' },
            ]}
            onChange={setScope}
          />
          {problem ? <Notice tone="error" title={problem} /> : null}
          <End
            body={{ location, date, scope }}
            id={leave.id}
            type={type}
            busy={busy}
            onEnd={(cover) =>
              run(endLeave(leave.id, { location, date, scope, cover }), endedWords(name, scope, day), close)
            }
          />
          {scope === 'date' ? (
            <p className="small muted">To change the times of this day only, use Change in the list of absences.</p>
          ) : (
            <Change
              key={scope}
              absence={absence}
              leave={leave}
              first={scope === 'from' && date > leave.first_date ? date : isoDate(leave.first_date)}
              busy={busy}
              onSave={(terms, cover, onAsk) =>
                run(
                  changeLeave(leave.id, { location, scope, date, ...terms, ...(cover && { cover }) }),
                  `${name}’s absence is changed.`,
                  close,
                  onAsk,
                )
              }
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

/** Runs an act on a leave: says what was done, or why not. */
function useRun(location: Location, id: string) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = (work: Promise<LeaveOutcome>, text: string, close: () => void, onAsk?: () => void): void => {
    setBusy(true);
    setProblem(null);
    work
      .then(
        (outcome) => {
          doneToast(text, location, outcome.id ?? id, outcome);
          close();
        },
        (error: unknown) => {
          if (asksAboutCover(error) && onAsk) onAsk();
          setProblem(asksAboutCover(error) ? saidWords(error) : failureWords(error, 'who is away'));
        },
      )
      .finally(() => setBusy(false));
  };
  return { busy, problem, run };
}

const endedWords = (name: string, scope: Scope, day: string): string =>
  scope === 'all'
    ? `${name}’s absence is taken back.`
    : scope === 'from'
      ? `${name} is no longer away from ${day} on.`
      : `${name} is no longer away on ${day}.`;

/** What the end of an absence brings back, and its buttons. */
function End({
  body,
  id,
  type,
  busy,
  onEnd,
}: {
  body: { location: Location; date: IsoDate; scope: Scope };
  id: string;
  type: StoredAbsence['type'];
  busy: boolean;
  onEnd: (cover: Cover) => void;
}) {
  const { data, error, isPending } = useEndPreview(id, type === 'therapist' ? { ...body, cover: 'keep-told' } : body);
  const label = type === 'therapist' ? 'Back at work' : 'Coming after all';
  return (
    <section aria-label={label}>
      <h3>{label}</h3>
      {error ? <p className="alarm">{saidWords(error)}</p> : null}
      {isPending ? <p className="muted">Looking at the dates…</p> : null}
      {data ? <Outcome outcome={data} type={type} /> : null}
      <div className={css.acts}>
        {data && type === 'therapist' && data.back.length + data.stays.length > 0 ? (
          <>
            <Button variant="primary" unavailable={busy} onClick={() => onEnd('keep-told')}>
              {data.stays.length > 0 ? `${label}, except what people were told` : `${label}, give the sessions back`}
            </Button>
            {data.stays.length > 0 ? (
              <Button unavailable={busy} onClick={() => onEnd('give-back')}>
                {label}, give all back
              </Button>
            ) : null}
            <Button unavailable={busy} onClick={() => onEnd('keep')}>
              {label}, keep the cover
            </Button>
          </>
        ) : (
          <Button variant="primary" unavailable={busy || !data} onClick={() => onEnd('give-back')}>
            {label}
          </Button>
        )}
      </div>
    </section>
  );
}

/** How many sessions the lists name; the rest is counted. */
const NAMED = 8;

function Outcome({ outcome, type }: { outcome: LeaveOutcome; type: StoredAbsence['type'] }) {
  const { dates, own, back, stays, to_tell: tell } = outcome;
  const ownWords = own === 0 ? '' : ` ${own} ${own === 1 ? 'session is' : 'sessions are'} as before.`;
  return (
    <>
      <p>
        {dates === 0 ? 'No date changes.' : `There again on ${dates} ${dates === 1 ? 'date' : 'dates'}.`}
        {ownWords}
      </p>
      <Sessions
        title={type === 'therapist' ? 'These need a therapist again, the usual one first' : 'These take place again'}
        list={back}
      />
      <Sessions title="These stay as they are now" list={stays} />
      {tell.length > 0 ? (
        <p className="small">To tell: {listWords(tell)}. They are on the call list of each date.</p>
      ) : null}
    </>
  );
}

function Sessions({
  title,
  list,
}: {
  title: string;
  list: readonly (LeaveOutcome['back'][number] & { why?: string })[];
}) {
  if (list.length === 0) return null;
  return (
    <div className={css.sessions}>
      <b>{title}:</b>
      <ul>
        {list.slice(0, NAMED).map(({ date, time, client, why }) => (
          <li key={`${date} ${time} ${client}`} className="small">
            {shortDate(isoDate(date))}, {time}: {client}
            {why === undefined ? '' : `, ${why}`}
          </li>
        ))}
      </ul>
      {list.length > NAMED ? <p className="small muted">and {list.length - NAMED} more</p> : null}
    </div>
  );
}

interface Terms {
  first_date: IsoDate;
  last_date: IsoDate | null;
  weekdays: number[];
  begin: string;
  end: string;
}

/** The form for other dates or times. */
function Change({
  absence,
  leave,
  first,
  busy,
  onSave,
}: {
  absence: StoredAbsence;
  leave: LeaveRange;
  first: IsoDate;
  busy: boolean;
  onSave: (terms: Terms, cover: Cover | undefined, onAsk: () => void) => void;
}) {
  const [range, setRange] = useState<LeaveFrom>({
    until: leave.last_date === null ? null : isoDate(leave.last_date),
    weekdays: leave.weekdays,
  });
  const [times, setTimes] = useState({ begin: absence.startTime, end: absence.endTime });
  const [asked, setAsked] = useState(false);
  const [from, to] = [parseTime(times.begin), parseTime(times.end)];
  const wrong = from === null || to === null || from >= to || (range.until !== null && range.until < first);
  const save = (cover?: Cover): void =>
    onSave({ first_date: first, last_date: range.until, weekdays: range.weekdays, ...times }, cover, () =>
      setAsked(true),
    );
  return (
    <section aria-label="Other dates or times">
      <h3>Other dates or times</h3>
      <Segmented
        label="Until when"
        value={range.until === null ? 'open' : 'date'}
        options={[
          { value: 'date', label: 'Until a date' },
          { value: 'open', label: 'Until further notice' },
        ]}
        onChange={(next) => setRange({ ...range, until: next === 'open' ? null : (range.until ?? first) })}
      />
      <RangeFields first={first} value={range} onChange={setRange} />
      <Times
        times={times}
        error={wrong && from !== null && to !== null && from >= to ? 'Must be after the start' : null}
        onChange={setTimes}
      />
      <div className={css.acts}>
        {asked ? (
          <>
            <Button unavailable={busy || wrong} onClick={() => save('give-back')}>
              Save, give the sessions back
            </Button>
            <Button unavailable={busy || wrong} onClick={() => save('keep')}>
              Save, keep the cover
            </Button>
          </>
        ) : (
          <Button unavailable={busy || wrong} onClick={() => save()}>
            Save these dates
          </Button>
        )}
      </div>
    </section>
  );
}
