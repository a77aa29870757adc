import { useEffect, useRef } from 'react';
import type { CallLine } from '@clinic/contract';
import { useShortcuts } from '../../../../shared/shell/shortcuts.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { beforeYesWords, lineKey, whoWords } from '../model.ts';
import type { CallListState } from '../use-call-list.ts';
import css from '../calls.module.css';

/**
 * Asks, inside the call-list line, before someone is told what hangs on a yes that nobody has given yet. Escape goes back
 * without saving; `go` records the result all the same.
 */
export function BeforeYes({ id, line, list, go }: { id: string; line: CallLine; list: CallListState; go: () => void }) {
  const group = useRef<HTMLDivElement>(null);
  const back = (): void => {
    list.choose(lineKey(line));
    list.focusCurrent();
  };
  useShortcuts([
    { keys: 'y', label: 'Record it all the same', group: 'Before a yes', run: go },
    { keys: 'Escape', label: 'Back without saving', group: 'Before a yes', run: back },
  ]);
  useEffect(() => group.current?.querySelector('button')?.focus(), []);
  return (
    <div
      ref={group}
      id={id}
      className={css.acts}
      role="group"
      aria-label={`${whoWords(line)}: not yet`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') back();
      }}
    >
      <b>{beforeYesWords(line)}</b>
      {line.after.map(({ id: asked, name }) => (
        <Button key={asked} single onClick={() => list.goTo(lineKey({ kind: 'therapist', id: asked }))}>
          Ask {name} first
        </Button>
      ))}
      <Button aria-keyshortcuts="y" single onClick={go}>
        <kbd aria-hidden="true">y</kbd>
        Record it all the same
      </Button>
      <Button variant="ghost" onClick={back}>
        Back
      </Button>
    </div>
  );
}
