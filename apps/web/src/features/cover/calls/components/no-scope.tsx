import { useEffect, useRef, useState } from 'react';
import type { CallLine } from '@clinic/contract';
import { useShortcuts } from '../../../../shared/shell/shortcuts.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { PlainInput } from '../../../../shared/ui/plain-field.tsx';
import { noChoices, untilOf, whoWords, type NoChoice } from '../model.ts';
import type { CallListState } from '../use-call-list.ts';
import css from '../calls.module.css';

/** Asks, inside the call-list line, what the person said no to. Escape goes back without saving. */
export function NoScope({ id, line, list }: { id: string; line: CallLine; list: CallListState }) {
  const group = useRef<HTMLDivElement>(null);
  const time = useRef<HTMLInputElement>(null);
  const [until, setUntil] = useState(() => untilOf(line));
  const choices = noChoices(line);
  const back = (): void => {
    list.askNo(null);
    list.focusCurrent();
  };
  const run = ({ act }: NoChoice): void => {
    if (act.do === 'cancel') void list.cancel(line, act.sessions);
    else if (act.do === 'keep') void list.keepRestriction(line, act.therapist);
    else void list.sayNo(line, act.no);
  };
  const sendUntil = (): void => void list.sayNo(line, { scope: 'until', until });
  useShortcuts([
    ...choices.flatMap((choice) =>
      choice.key === undefined
        ? []
        : [{ keys: choice.key, label: choice.label, group: 'Said no', run: () => run(choice) }],
    ),
    ...(line.kind === 'therapist'
      ? [{ keys: 'u', label: 'Until a time', group: 'Said no', run: () => time.current?.focus() }]
      : []),
    { keys: 'Escape', label: 'Back without saving', group: 'Said no', run: back },
  ]);
  useEffect(() => group.current?.querySelector<HTMLElement>('button:not([aria-disabled="true"]), input')?.focus(), []);
  return (
    <div
      ref={group}
      id={id}
      className={css.acts}
      role="group"
      aria-label={`${whoWords(line)} said no`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') back();
      }}
    >
      <b>{line.kind === 'therapist' ? 'What did they say no to?' : 'What would they prefer?'}</b>
      {choices.map((choice) => (
        <Button key={choice.label} aria-keyshortcuts={choice.key} single onClick={() => run(choice)}>
          {choice.key === undefined ? null : <kbd aria-hidden="true">{choice.key}</kbd>}
          {choice.label}
        </Button>
      ))}
      {line.kind === 'therapist' ? (
        <span className={css.until}>
          <Button unavailable={until === ''} aria-keyshortcuts="u" single onClick={sendUntil}>
            <kbd aria-hidden="true">u</kbd>
            Away until
          </Button>
          <PlainInput
            ref={time}
            type="time"
            step={900}
            aria-label={`Away until: ${whoWords(line)}`}
            value={until}
            onChange={(event) => setUntil(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && until !== '') sendUntil();
            }}
          />
        </span>
      ) : null}
      <Button variant="ghost" onClick={back}>
        Back
      </Button>
    </div>
  );
}
