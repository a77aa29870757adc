import { Component } from 'preact';
import { addDays, shortDate, type IsoDate } from '@clinic/domain';
import type { TEXTS } from '@clinic/contract';
import { loadWeek, type GetToken } from './load.ts';
import {
  allChosen,
  chosenSessions,
  columns,
  keyOf,
  sessionTime,
  someChosen,
  summary,
  toggleDay,
  toggleSession,
  type Day,
  type Session,
} from './model.ts';

// Copies of the specification's messages. Only types are imported from the contract, to keep this script small.
const EMPTY: (typeof TEXTS)['noTimeslots'] = 'No available timeslots for this client.';
const FAILED: (typeof TEXTS)['timeslotsFailed'] = 'Error fetching timeslots. Please try again.';

export interface ModalProps {
  base: string;
  clientName: string;
  location: string;
  monday: IsoDate;
  getToken: GetToken;
  onConfirm: (sessions: Session[]) => void;
  onClose: () => void;
}

type Week = { kind: 'loading' } | { kind: 'failed'; detail: string } | { kind: 'ready'; days: Day[] };

interface ModalState {
  monday: IsoDate;
  week: Week;
  /** Every week loaded so far, by the date of its Monday. */
  seen: ReadonlyMap<string, Day[]>;
  chosen: Set<string>;
}

const StepButton = ({ back, onClick }: { back?: boolean; onClick: () => void }) => (
  <button type="button" class="icon" aria-label={back ? 'Previous week' : 'Next week'} onClick={onClick}>
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={back ? 'M10 3.5 5.5 8l4.5 4.5' : 'm6 3.5 4.5 4.5L6 12.5'} />
    </svg>
  </button>
);

interface ChoiceProps {
  chosen: Set<string>;
  onChange: (next: Set<string>) => void;
}

function DayColumn({ day, chosen, onChange }: ChoiceProps & { day: Day }) {
  const [weekday, rest] = shortDate(day.date).split(', ');
  const all = allChosen(day, chosen);
  return (
    <fieldset>
      <legend>
        <b>{weekday}</b> <span class="muted">{rest}</span>
      </legend>
      <label class="all">
        <input
          type="checkbox"
          checked={all}
          disabled={day.sessions.length === 0}
          ref={(box) => {
            if (box) box.indeterminate = !all && someChosen(day, chosen);
          }}
          onChange={() => onChange(toggleDay(day, chosen))}
        />
        Select All
      </label>
      {day.sessions.length === 0 && <p class="muted none">Nothing to cancel</p>}
      {day.sessions.map((s) => (
        <label class="slot" key={keyOf(s)}>
          <input type="checkbox" checked={chosen.has(keyOf(s))} onChange={() => onChange(toggleSession(s, chosen))} />
          <b>{sessionTime(s)}</b>
        </label>
      ))}
    </fieldset>
  );
}

/** The week's sessions, or why there are none to show. */
function WeekBody({ week, chosen, onChange, onRetry }: ChoiceProps & { week: Week; onRetry: () => void }) {
  if (week.kind === 'failed')
    return (
      <div class="note" role="alert">
        <b>{FAILED}</b>
        {week.detail !== '' && <p class="muted">{week.detail}</p>}
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      </div>
    );
  if (week.kind === 'ready' && week.days.some((day) => day.sessions.length > 0))
    return (
      <div class="days">
        {week.days.map((day) => (
          <DayColumn key={day.date} day={day} chosen={chosen} onChange={onChange} />
        ))}
      </div>
    );
  return (
    <p class="note" role="status">
      {week.kind === 'loading' ? 'Loading sessions…' : EMPTY}
    </p>
  );
}

/**
 * The modal. It is a class because Preact's hooks would make the script larger. Sessions chosen in one week stay chosen
 * while another week is shown.
 */
export class Modal extends Component<ModalProps, ModalState> {
  override state: ModalState = {
    monday: this.props.monday,
    week: { kind: 'loading' },
    seen: new Map(),
    chosen: new Set(),
  };
  private dialog: HTMLDialogElement | null = null;
  private stop = new AbortController();

  override componentDidMount(): void {
    this.dialog?.showModal();
    void this.load(this.props.monday);
  }

  override componentWillUnmount(): void {
    this.stop.abort();
  }

  /** Loads the week from `monday` and aborts any load still in progress. */
  private async load(monday: IsoDate): Promise<void> {
    this.stop.abort();
    const stop = new AbortController();
    this.stop = stop;
    this.setState({ monday, week: { kind: 'loading' } });
    const loaded = await loadWeek(this.props.base, this.props.getToken, { ...this.props, monday }, stop.signal);
    if (stop.signal.aborted) return;
    if (!loaded.ok) return this.setState({ week: { kind: 'failed', detail: loaded.detail } });
    const days = columns(monday, loaded.data);
    this.setState((before) => ({ week: { kind: 'ready', days }, seen: new Map(before.seen).set(monday, days) }));
  }

  private readonly close = (): void => this.dialog?.close();

  override render(
    { clientName, location, onConfirm, onClose }: ModalProps,
    { monday, week, seen, chosen }: ModalState,
  ) {
    const picked = chosenSessions([...seen.values()].flat(), chosen).sort((a, b) => (a.start < b.start ? -1 : 1));
    return (
      <dialog ref={(element) => void (this.dialog = element)} aria-labelledby="title" onClose={onClose}>
        <header>
          <div>
            <h1 id="title">Select Timeframes to Cancel</h1>
            <p class="muted">
              {clientName}, {location.replace(/\b\p{L}/gu, (letter) => letter.toUpperCase())}
            </p>
          </div>
          <div class="week" role="group" aria-label="Week">
            <StepButton back onClick={() => void this.load(addDays(monday, -7))} />
            <span aria-live="polite">
              Week of {shortDate(monday).split(', ')[1]}, {monday.slice(0, 4)}
            </span>
            <StepButton onClick={() => void this.load(addDays(monday, 7))} />
          </div>
        </header>
        <div
          class="body"
          tabIndex={0}
          role="region"
          aria-label="Sessions of the week"
          aria-busy={week.kind === 'loading'}
        >
          <WeekBody
            week={week}
            chosen={chosen}
            onChange={(next) => this.setState({ chosen: next })}
            onRetry={() => void this.load(monday)}
          />
        </div>
        <footer>
          <p aria-live="polite">{summary(picked)}</p>
          <button type="button" class="large" onClick={this.close}>
            Close
          </button>
          <button
            type="button"
            class="large primary"
            aria-disabled={picked.length === 0}
            onClick={() => {
              if (picked.length === 0) return;
              // Closing returns the focus to the page; after that, the page may move it.
              this.close();
              onConfirm(picked);
            }}
          >
            Confirm Selection
          </button>
        </footer>
      </dialog>
    );
  }
}
