import { isLocation, type Location } from '@clinic/domain';
import { useLocations } from '../../../shared/session/session-info.ts';
import { PlainSelect } from '../../../shared/ui/field.tsx';
import css from '../../../shared/ui/field.module.css';

/** The choice of a location; null for all locations. */
export function LocationFilter({
  value,
  onChange,
}: {
  value: Location | null;
  onChange: (next: Location | null) => void;
}) {
  const own = useLocations();
  return (
    <PlainSelect
      className={css.location}
      aria-label="Location"
      value={value ?? ''}
      onChange={(event) => onChange(isLocation(event.target.value) ? event.target.value : null)}
    >
      <option value="">All locations</option>
      {own.map((each) => (
        <option key={each.value} value={each.value}>
          {each.label}
        </option>
      ))}
    </PlainSelect>
  );
}
