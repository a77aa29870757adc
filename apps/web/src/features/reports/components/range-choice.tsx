import { isLocation, parseDate } from '@clinic/domain';
import { useLocations } from '../../../shared/session/session-info.ts';
import { PlainInput, PlainSelect } from '../../../shared/ui/field.tsx';
import { ALL, rangesFor, type Range } from '../model.ts';
import css from './reports.module.css';

/** The choice of a report's location and dates, with buttons for common ranges. */
export function RangeChoice({
  range,
  today,
  onChange,
}: {
  range: Range;
  today: Parameters<typeof rangesFor>[0];
  onChange: (range: Range) => void;
}) {
  const locations = useLocations();
  const { location, from, to } = range;
  const named = rangesFor(today);
  const setDay = (which: 'from' | 'to', text: string): void => {
    if (parseDate(text)) onChange({ ...range, [which]: text });
  };
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
        {locations.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
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
        {named.map(({ label }) => (
          <option key={label}>{label}</option>
        ))}
      </PlainSelect>
      <PlainInput aria-label="From" type="date" value={from} onChange={({ target }) => setDay('from', target.value)} />
      <PlainInput aria-label="To" type="date" value={to} onChange={({ target }) => setDay('to', target.value)} />
    </div>
  );
}
