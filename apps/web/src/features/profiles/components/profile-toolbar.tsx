import { useRef } from 'react';
import { isLocation } from '@clinic/domain';
import { useLocations } from '../../../shared/session/session-info.ts';
import { useShortcuts } from '../../../shared/shell/shortcuts.ts';
import { Button } from '../../../shared/ui/button.tsx';
import field from '../../../shared/ui/field.module.css';
import { Options } from '../../../shared/ui/field.tsx';
import { PlainSelect, SearchBox } from '../../../shared/ui/plain-field.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { KIND_WORDS } from '../model.ts';
import type { ProfileSearch } from '../use-profile-search.ts';
import css from './profile-toolbar.module.css';

const KINDS = (['therapists', 'clients'] as const).map((kind) => ({ value: kind, label: KIND_WORDS[kind].title }));

/**
 * The bar above the profiles: their kind, the search and the location, how many were found, and the button that adds a
 * profile.
 */
export function ProfileToolbar({
  search: { kind, setKind, typed, setTyped, location, setLocation, left, setLeft, query, shown },
  onAdd,
}: {
  search: ProfileSearch;
  onAdd: () => void;
}) {
  const box = useRef<HTMLInputElement>(null);
  const words = KIND_WORDS[kind];
  const locations = useLocations();
  useShortcuts([
    { keys: '/', label: 'Search profiles', group: 'Profiles', run: () => box.current?.focus() },
    { keys: 'n', writes: true, label: words.add, group: 'Profiles', run: onAdd },
  ]);
  return (
    <>
      <h1 className="sr">Profiles</h1>
      <Segmented
        label="Profiles of"
        value={kind}
        options={KINDS}
        onChange={(next) => {
          setKind(next);
          setTyped('');
        }}
      />
      <SearchBox ref={box} className={css.search} value={typed} onChange={setTyped} placeholder={words.search} />
      <PlainSelect
        className={field.location}
        aria-label="Location"
        value={location ?? ''}
        onChange={({ target }) => setLocation(isLocation(target.value) ? target.value : null)}
      >
        <option value="">All locations</option>
        <Options of={locations.map(({ value, label }) => [value, label])} />
      </PlainSelect>
      <label className="small">
        <input type="checkbox" checked={left} onChange={(event) => setLeft(event.target.checked)} /> Also those who left
      </label>
      <span className="small muted" role="status">
        {query.data ? `${shown.length} ${shown.length === 1 ? words.one : words.many}` : ''}
      </span>
      <span className="grow" />
      <Button data-writes variant="primary" size="lg" onClick={onAdd}>
        <Icon name="plus" />
        {words.add}
      </Button>
    </>
  );
}
