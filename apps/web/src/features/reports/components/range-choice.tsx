import { isLocation } from '@clinic/domain';
import { useLocations } from '../../../shared/session/session-info.ts';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Options } from '../../../shared/ui/field.tsx';
import { PlainSelect } from '../../../shared/ui/plain-field.tsx';
import { ALL, rangesFor, type Range } from '../model.ts';
import css from './reports.module.css';

/** The choice of a report's location and dates, with a list of common ranges. */
export function RangeChoice({
  range,
  faulty,
  today,
  onChange,
}: {
  range: Range;
  /** Whether no report can cover the dates; the page says why. */
  faulty: boolean;
  today: Parameters<typeof rangesFor>[0];
  onChange: (range: Range) => void;
}) {
  const locations = useLocations();
  const { location, from, to } = range;
  const named = rangesFor(today);
  return (
    <div className={css.range}>
      <PlainSelect
        aria-label="Location"
        value={location ?? ALL}
        onChange={({ target }) =>
          onChange(isLocation(target.value) ? { from, to, location: target.value } : { from, to })
        }
      >
        <option value={ALL}>All locations</option>
        <Options of={locations.map(({ value, label }) => [value, label])} />
      </PlainSelect>
      <PlainSelect
        aria-label="Range"
        value={named.find((each) => each.from === from && each.to === to)?.label ?? ''}
        onChange={({ target }) => {
          const found = named.find(({ label }) => label === target.value);
          if (found) onChange({ ...range, from: found.from, to: found.to });
        }}
      >
        <option value="" disabled>
          Custom range
        </option>
        <Options of={named.map(({ label }) => [label, label])} />
      </PlainSelect>
      <DateField plain keeps label="From" value={from} onDate={(day) => onChange({ ...range, from: day })} />
      <DateField
        plain
        keeps
        label="To"
        value={to}
        aria-invalid={faulty || undefined}
        onDate={(day) => onChange({ ...range, to: day })}
      />
    </div>
  );
}
