import { LOCATIONS, isLocation, type Location } from '@clinic/domain';
import { useSessionInfo } from '../session/session-info.ts';
import { saveLocation } from '../storage/keys.ts';
import { PlainSelect } from './field.tsx';
// After the field's own styles, which it narrows.
import css from './location-select.module.css';

/** The five clinics, those outside one's account left out of reach; the choice is remembered (CAL-04). */
export function LocationSelect({ value, onChange }: { value: Location; onChange: (location: Location) => void }) {
  const allowed = useSessionInfo()?.account.locations ?? null;
  return (
    <PlainSelect
      aria-label="Location"
      data-shortcut="location"
      className={css.location}
      value={value}
      onChange={(event) => {
        if (!isLocation(event.target.value)) return;
        saveLocation(event.target.value);
        onChange(event.target.value);
      }}
    >
      {LOCATIONS.map((location) => (
        <option
          key={location.value}
          value={location.value}
          disabled={allowed !== null && !allowed.includes(location.value)}
        >
          {location.label}
        </option>
      ))}
    </PlainSelect>
  );
}
