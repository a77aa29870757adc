import { useEffect, useRef, useState } from 'react';
import type { CallLine } from '@clinic/contract';
import { ChoiceList } from '../../../../shared/choices/choice-list.tsx';
import { useSessionChoices } from '../../../../shared/choices/use-session-choices.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import css from '../calls.module.css';
import { choosableIn, whoWords, windowWords } from '../model.ts';
import type { CallListState } from '../use-call-list.ts';

/** Who else could take a session in this line. Choosing a therapist opens the options with that therapist pinned. */
export function ChooseOther({ id, line, list }: { id: string; line: CallLine; list: CallListState }) {
  const group = useRef<HTMLDivElement>(null);
  const sessions = choosableIn(line);
  const [key, setKey] = useState(sessions[0]?.key ?? '');
  const { location, date } = list.day;
  const query = useSessionChoices(key === '' ? null : { location, date, key });
  const loaded = query.data !== undefined;
  const back = (): void => {
    list.askOther(null);
    list.focusCurrent();
  };
  useEffect(() => group.current?.querySelector<HTMLElement>('li button, button')?.focus(), [loaded]);
  return (
    <div
      ref={group}
      id={id}
      className={css.acts}
      role="group"
      aria-label={`Someone else: ${whoWords(line)}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') back();
      }}
    >
      {sessions.length > 1 ? (
        <Segmented
          label="Session"
          value={key}
          options={sessions.map((s) => ({ value: s.key, label: `${s.with?.name ?? ''} ${windowWords(s)}`.trim() }))}
          onChange={setKey}
        />
      ) : null}
      <div className={css.choices}>
        <ChoiceList
          query={query}
          location={location}
          date={date}
          busy={false}
          onChoose={(choice) => list.toChosen(key, choice)}
        />
      </div>
      <Button variant="ghost" onClick={back}>
        Back
      </Button>
    </div>
  );
}
