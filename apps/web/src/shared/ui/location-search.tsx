import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { groupBy, locationLabel, nameKey, type ClinicLocation, type Location } from '@clinic/domain';
import { cx } from './class-names.ts';
import { usePlacedPopover } from './menu.tsx';
import field from './field.module.css';
import css from './location-search.module.css';

/** The locations whose name or group has all typed words, by group. */
export function findLocations(list: readonly ClinicLocation[], typed: string): [string, readonly ClinicLocation[]][] {
  const words = nameKey(typed).split(' ').filter(Boolean);
  const found = list.filter(({ label, group }) => {
    const text = ` ${nameKey(`${label} ${group}`)}`;
    return words.every((word) => text.includes(` ${word}`));
  });
  return [...groupBy(found, ({ group }) => group)].sort(([a], [b]) => (a < b ? -1 : 1));
}

const nothing = (): void => undefined;

interface Props {
  value: Location;
  list: readonly ClinicLocation[];
  onChange: (location: Location) => void;
}

/** What was typed and found, and which of it Enter takes. */
function useFinding({ value, list, onChange }: Props) {
  /** What was typed; null while the list is closed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const groups = typed === null ? [] : findLocations(list, typed);
  const found = groups.flatMap(([, each]) => each);
  const place = Math.min(at, found.length - 1);
  return {
    typed,
    groups,
    current: found[place],
    type: (text: string): void => {
      setTyped(text);
      setAt(0);
    },
    open: (): void => {
      const shown = findLocations(list, '').flatMap(([, each]) => each);
      setTyped('');
      setAt(
        Math.max(
          0,
          shown.findIndex((each) => each.value === value),
        ),
      );
    },
    close: (): void => setTyped(null),
    move: (step: number): void => {
      if (found.length > 0) setAt((place + step + found.length) % found.length);
    },
    take: (location: ClinicLocation | undefined): void => {
      if (!location) return;
      setTyped(null);
      onChange(location.value);
    },
  };
}

/**
 * The choice of one of many locations, by typing a part of its name or group. The arrow keys move through what is found,
 * Enter takes it, and Escape leaves everything as it was.
 */
export function LocationSearch(props: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { typed, current, type, open, close, move, take, groups } = useFinding(props);
  usePlacedPopover(box, input, nothing);
  const isOpen = typed !== null;
  useEffect(() => {
    if (isOpen) box.current?.showPopover();
    else box.current?.hidePopover();
  }, [isOpen]);
  useEffect(() => {
    if (current) document.getElementById(`${id}-${current.value}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current]);
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) move(step);
      else open();
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      take(current);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close();
    }
  };
  return (
    <>
      <input
        ref={input}
        className={cx(field.input, field.location)}
        role="combobox"
        aria-label="Location"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={current && `${id}-${current.value}`}
        data-shortcut="location"
        autoComplete="off"
        spellCheck={false}
        value={typed ?? locationLabel(props.value)}
        placeholder={locationLabel(props.value)}
        onFocus={open}
        onClick={() => isOpen || open()}
        onBlur={close}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKey}
      />
      <div
        ref={box}
        id={id}
        popover="manual"
        role="listbox"
        aria-label="Locations"
        className={css.list}
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map(([group, list]) => (
          <Group key={group} id={id} group={group} list={list} current={current} onTake={take} />
        ))}
        {isOpen && groups.length === 0 ? <p className={css.none}>No location matches “{typed}”.</p> : null}
      </div>
    </>
  );
}

function Group(props: {
  id: string;
  group: string;
  list: readonly ClinicLocation[];
  current: ClinicLocation | undefined;
  onTake: (location: ClinicLocation) => void;
}) {
  return (
    <div role="group" aria-label={props.group}>
      <div className={css.group} aria-hidden="true">
        {props.group}
      </div>
      {props.list.map((each) => (
        <div
          key={each.value}
          id={`${props.id}-${each.value}`}
          role="option"
          aria-selected={each.value === props.current?.value}
          className={css.option}
          onClick={() => props.onTake(each)}
        >
          {each.label}
        </div>
      ))}
    </div>
  );
}
