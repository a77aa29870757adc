import { useIsFetching, type Query } from '@tanstack/react-query';
import { queryClient, queryKeys } from '../api/query-client.ts';
import { useEffect, useId, useState } from 'react';
import css from './palette.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { Keys } from './keys.tsx';
import { SearchField } from './palette-field.tsx';
import { activeShortcuts, releaseTyping, typedSoFar } from './shortcuts.ts';
import type { Client, Therapist } from '@clinic/contract';
import { isLocation, shortDate, type IsoDate, type Location } from '@clinic/domain';
import { clientsQuery, therapistsQuery } from '../api/people-queries.ts';
import { clinicNow, wallTime } from '../clinic-clock.ts';
import { navigate } from '../router/history.ts';
import type { Command } from './commands.ts';
import { ComesAnswer } from './comes-answer.tsx';
import { findCommands } from './find-commands.ts';
import { whoAsked, type Asked, type Whose } from './who-comes.ts';

/** The page's shortcuts as commands, each with its key. */
function shortcutCommands(): Command[] {
  return activeShortcuts()
    .filter((s) => s.keys !== 'Ctrl+K')
    .map((s) => ({ id: `key:${s.keys}`, kind: 'Action', label: s.label, keys: s.keys, run: s.run }));
}

/** How long after a command the focus is first checked; longer than a dialog's closing animation. */
const FIRST_LOOK_MS = 350;
/** A slow page may replace the focused element later, so the check repeats for ten seconds, or until the user acts. */
const NEXT_LOOK_MS = 250;
const MOST_LOOKS = 40;

/**
 * Moves the focus to the page when a command removes the focused element, for example by opening another day or page.
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

const PEOPLE = {
  predicate: ({ queryKey: [first] }: Query) => first === queryKeys.therapists[0] || first === queryKeys.clients[0],
};

/** Loads the people whom the palette can find. If loading fails, it finds no people. */
function loadPeople(): void {
  void queryClient.prefetchQuery(therapistsQuery);
  void queryClient.prefetchQuery(clientsQuery);
}

/** The people who have been loaded, at locations where they can be looked up. */
const knownPeople = (): Whose[] =>
  (['client', 'therapist'] as const).flatMap((type) =>
    (queryClient.getQueryData<readonly (Client | Therapist)[]>(queryKeys[`${type}s`]) ?? []).flatMap((each) =>
      isLocation(each.location) ? [{ id: each.id, name: each.display_name, type, location: each.location }] : [],
    ),
  );

const todayAt = (location: Location): IsoDate | null => {
  const now = clinicNow();
  return now === null ? null : wallTime(location, now).date;
};

/** Opens the day that was asked about, at the person's row. */
const dayOf = ({ id, name, type, location, date }: Asked, typed: string): Command => ({
  id: `day:${type}:${id}:${date}`,
  kind: 'Person',
  label: `${name} on ${shortDate(date)}`,
  hint: typed, // the palette looks for every typed word in the entry
  run: () => navigate({ to: '/calendar', search: { location, view: type, date, find: name } }),
});

/** Finds people, dates, locations and actions as the user types. The arrow keys select a result; Enter runs it. */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  // Starts with the text typed before the palette had loaded.
  const [typed, setTyped] = useState(typedSoFar);
  const [at, setAt] = useState(0);
  const [keyCommands] = useState(shortcutCommands);
  // Keys that came after the first drawing were held, too.
  useEffect(() => releaseTyping(setTyped), []);
  useEffect(loadPeople, []);
  const isLooking = useIsFetching(PEOPLE) > 0; // looks again once people are loaded
  const asked = whoAsked(typed, knownPeople(), todayAt);
  const found = findCommands(typed, 40, [...asked.map((each) => dayOf(each, typed)), ...keyCommands]);
  const chosen = Math.min(at, found.length - 1);
  return (
    <Dialog title="Find" width="36rem" className={css.palette} onClose={onClose} scrolls={false}>
      {(close) => {
        const run = (command: Command | undefined): void => {
          if (!command) return;
          close();
          // Runs the command after the closing animation, so that the closing dialog does not take the focus from
          // what the command opens.
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
            {asked.length > 0 ? <ComesAnswer asked={asked} /> : null}
            <ul className={css.list} role="listbox" id={id} aria-label="Results">
              {found.map((command, index) => (
                // Has no key handlers: the field keeps the focus and handles the keys.
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
            <p className={found.length === 0 ? `${css.list} ${css.none} muted` : 'sr'} role="status">
              {found.length > 0 ? '' : isLooking ? 'Still loading people' : `No results for “${typed}”.`}
            </p>
          </>
        );
      }}
    </Dialog>
  );
}
