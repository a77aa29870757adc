import { useRef, type ChangeEvent, type KeyboardEvent, type ReactNode } from 'react';
import css from './absences-panel.module.css';
import { Button } from '../../../../shared/ui/button.tsx';
import { Input } from '../../../../shared/ui/field.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { lazyPart } from '../../../../shared/ui/lazy-part.tsx';
import { isAllDay, type AbsenceAction, type AbsenceEntry } from '../model.ts';

// What loads takes its place at once, so that nothing moves when it arrives.
const LossFields = lazyPart(
  () => import('../../../../shared/causes/absence-loss-fields.tsx').then((m) => m.AbsenceLossFields),
  <div className={css.lossPlace} />,
);

/** The step of a time field, in seconds: a quarter hour. */
const STEP = 900;
/** A change within this time after a key press counts as typed; a later change counts as picked with the mouse. */
const TYPING_MS = 1000;

/** One window of a person's absence: its times, what it affects, and why. */
export function AbsenceWindow({
  entry,
  at,
  single,
  name,
  problem,
  effect,
  dates,
  act,
}: {
  entry: AbsenceEntry;
  /** The window's index in the selection. */
  at: number;
  /** Whether it is the person's only window. */
  single: boolean;
  /** What the window is called, for screen readers. */
  name: string;
  problem: { field: 'start' | 'end'; text: string } | null;
  /** What the window affects, in words. */
  effect: string;
  /** For how long the person is away. */
  dates: ReactNode;
  act: (action: AbsenceAction) => void;
}) {
  const allDay = isAllDay(entry);
  const lastKey = useRef(-Infinity);
  const round = (): void => act({ do: 'round', at });
  const change = (which: 'start' | 'end') => (event: ChangeEvent<HTMLInputElement>) => {
    act({ do: which, at, time: event.target.value });
    // A picked time is complete, so it is rounded at once; a typed time may be unfinished.
    if (event.timeStamp - lastKey.current > TYPING_MS) round();
  };
  const typing = (event: KeyboardEvent): void => {
    lastKey.current = event.timeStamp;
  };
  const times = { type: 'time', step: STEP, onKeyDown: typing, onBlur: round };
  return (
    <div className={css.window} role="group" aria-label={`Absence of ${name}`}>
      <div className={css.times} data-all-day={allDay || undefined}>
        <Input
          {...times}
          label="From"
          value={entry.startTime}
          error={problem?.field === 'start' ? problem.text : null}
          onChange={change('start')}
        />
        <Input
          {...times}
          label="To"
          value={entry.endTime}
          error={problem?.field === 'end' ? problem.text : null}
          onChange={change('end')}
        />
        {single ? (
          <Button aria-pressed={allDay} onClick={() => act({ do: 'all-day', at })}>
            {allDay ? <Icon name="check" /> : null}
            All day
          </Button>
        ) : (
          <Button variant="link" single onClick={() => act({ do: 'remove', at })}>
            Remove<span className="sr"> {name}</span>
          </Button>
        )}
      </div>
      {dates}
      <p className="small muted" aria-live="polite">
        {effect}
      </p>
      <LossFields
        value={entry.loss}
        side={entry.type === 'therapist' ? 'therapist' : 'family'}
        name={name}
        onChange={(loss) => act({ do: 'part', at, part: { loss } })}
      />
    </div>
  );
}
