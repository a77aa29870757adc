import { isLocation, locationLabel, type Location } from '@clinic/domain';
import { useLocations } from '../session/session-info.ts';
import { saveLocation } from '../storage/keys.ts';
import { lazyPart } from './lazy-part.tsx';
import { PlainSelect } from './plain-field.tsx';
import css from './field.module.css';

/** With more locations than this, one types a part of the name instead of looking through a list. */
const MOST_LISTED = 12;

const LocationSearch = lazyPart(() => import('./location-search.tsx').then((m) => m.LocationSearch));

/**
 * The choice of one of the account's locations, which is remembered (CAL-04). If the address names another location,
 * that location is shown, but it cannot be chosen.
 */
export function LocationSelect({ value, onChange }: { value: Location; onChange: (location: Location) => void }) {
  const own = useLocations();
  const choose = (location: Location): void => {
    saveLocation(location);
    onChange(location);
  };
  if (own.length > MOST_LISTED) return <LocationSearch value={value} list={own} onChange={choose} />;
  return (
    <PlainSelect
      aria-label="Location"
      data-shortcut="location"
      className={css.location}
      value={value}
      onChange={(event) => {
        if (isLocation(event.target.value)) choose(event.target.value);
      }}
    >
      {own.some((location) => location.value === value) ? null : (
        <option value={value} disabled>
          {locationLabel(value)}
        </option>
      )}
      {own.map((location) => (
        <option key={location.value} value={location.value}>
          {location.label}
        </option>
      ))}
    </PlainSelect>
  );
}
