import { useEffect, useId, useState } from 'react';
import css from './palette.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { Keys } from './keys.tsx';
import { SearchField } from './palette-field.tsx';
import { activeShortcuts, releaseTyping, typedSoFar } from './shortcuts.ts';
import { loadPeople } from './load-people.ts';
import { findCommands, type Command } from './commands.ts';

/** The shortcuts of the page as commands, each with its key. */
function shortcutCommands(): Command[] {
  return activeShortcuts()
    .filter((s) => s.keys !== 'Ctrl+K')
    .map((s) => ({ id: `key:${s.keys}`, kind: 'Action', label: s.label, keys: s.keys, run: s.run }));
}

/** Longer than the closing animation of a dialog. */
const FIRST_LOOK_MS = 350;
/** A page that loads slowly replaces what has the focus later: for ten seconds, unless the person goes on. */
const NEXT_LOOK_MS = 250;
const MOST_LOOKS = 40;

/**
 * Returns the focus to the page if a command removes the element that has it, for example by opening another day or
 * page.
 */
function keepFocusOnPage(): void {
  const goesOn = new AbortController();
  const options = { capture: true, once: true, signal: goesOn.signal };
  for (const act of ['keydown', 'pointerdown']) addEventListener(act, () => goesOn.abort(), options);
  const look = (looks: number): void => {
    if (goesOn.signal.aborted) return;
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
    if (looks < MOST_LOOKS) setTimeout(look, NEXT_LOOK_MS, looks + 1);
    else goesOn.abort();
  };
  setTimeout(look, FIRST_LOOK_MS, 1);
}

/** Finds people, dates, locations and actions as you type; arrows choose, Enter runs. */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  // The text that was typed before the palette had loaded.
  const [typed, setTyped] = useState(typedSoFar);
  const [at, setAt] = useState(0);
  const [keyCommands] = useState(shortcutCommands);
  useEffect(releaseTyping, []);
  useEffect(loadPeople, []);
  const found = findCommands(typed, 30, keyCommands);
  const chosen = Math.min(at, found.length - 1);
  return (
    <Dialog title="Find" width="36rem" className={css.palette} onClose={onClose} scrolls={false}>
      {(close) => {
        const run = (command: Command | undefined): void => {
          if (!command) return;
          close();
          // Runs the command after the closing animation, so that what it opens does not lose the focus to the
          // closing dialog.
          setTimeout(() => {
            command.run();
            keepFocusOnPage();
          }, 0);
        };
        return (
          <>
            <div className={css.box}>
              <SearchField
                listId={id}
                activeId={found.length > 0 ? `${id}-${chosen}` : undefined}
                value={typed}
                onChange={(value) => {
                  setTyped(value);
                  setAt(0);
                }}
                onMove={(step) => setAt((chosen + step + found.length) % Math.max(1, found.length))}
                onEnter={() => run(found[chosen])}
              />
            </div>
            <ul className={css.list} role="listbox" id={id} aria-label="Results">
              {found.map((command, index) => (
                // Has no keys of its own: the field, which keeps the focus, handles them.
                <li
                  key={command.id}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === chosen}
                  className={css.item}
                  onPointerMove={() => setAt(index)}
                  onClick={() => run(command)}
                  ref={index === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
                >
                  <b>{command.label}</b>
                  {command.hint ? <span className="small muted">{command.hint}</span> : null}
                  <span className={css.kind}>
                    {command.keys ? (
                      <Keys keys={command.keys} />
                    ) : command.kind === 'Action' ? null : (
                      <span className="cap">{command.kind}</span>
                    )}
                  </span>
                </li>
              ))}
            </ul>
            {found.length === 0 ? <p className={`${css.list} ${css.none} muted`}>No results for “{typed}”.</p> : null}
          </>
        );
      }}
    </Dialog>
  );
}
