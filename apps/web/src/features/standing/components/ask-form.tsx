import { useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Location } from '@clinic/domain';
import { therapistsQuery } from '../../../shared/api/people-queries.ts';
import { navigate } from '../../../shared/router/history.ts';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { PlainInput, PlainSelect } from '../../../shared/ui/plain-field.tsx';
import { WEEKDAYS } from '../model.ts';
import css from './standing.module.css';

/** The whole day, as an absence says it. */
const WHOLE = { start: '00:00', end: '23:59' };

const UNTIL = ['date', 'open', 'good'] as const;
type Until = (typeof UNTIL)[number];

/** Asks who is away, from when, until a date, further notice or for good, on which weekdays, and at which times of the day. */
export function AskForm({ search, location }: { search: Readonly<Record<string, string>>; location: Location }) {
  const { data = [] } = useQuery(therapistsQuery);
  const [days, setDays] = useState<ReadonlySet<string>>(
    () => new Set((search['weekdays'] ?? '').split(',').filter(Boolean)),
  );
  const [until, setUntil] = useState<Until>(
    search['open'] === '1' ? 'open' : search['for_good'] === '1' ? 'good' : 'date',
  );
  const own = data.filter((each) => each.location === location);

  function ask(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    const weekdays = [...days].sort().join(',');
    const [start, end] = [text('start'), text('end')];
    navigate({
      search: {
        location,
        therapist: text('therapist'),
        from: text('from'),
        ...{ date: { until: text('until') }, open: { open: '1' }, good: { for_good: '1' } }[until],
        weekdays,
        ...(start === '' && end === '' ? {} : { start: start || WHOLE.start, end: end || WHOLE.end }),
      },
    });
  }

  return (
    <form className={css.form} onSubmit={ask}>
      <label>
        Who is away
        <PlainSelect name="therapist" required defaultValue={search['therapist'] ?? ''} key={own.length}>
          <option value="">Choose a therapist</option>
          {own.map(({ id, display_name }) => (
            <option key={id} value={id}>
              {display_name}
            </option>
          ))}
        </PlainSelect>
      </label>
      <label>
        First day
        <DateField plain label="First day" name="from" required defaultValue={search['from'] ?? ''} />
      </label>
      <label>
        How long
        <PlainSelect
          value={until}
          onChange={({ target }) => setUntil(UNTIL.find((each) => each === target.value) ?? 'date')}
        >
          <option value="date">Until a date</option>
          <option value="open">Until further notice</option>
          <option value="good">For good</option>
        </PlainSelect>
      </label>
      {until === 'date' ? (
        <label>
          Last day
          <DateField plain label="Last day" name="until" required defaultValue={search['until'] ?? ''} />
        </label>
      ) : null}
      <Weekdays days={days} onChange={setDays} />
      <TimeField label="From (empty: all day)" name="start" search={search} />
      <TimeField label="To" name="end" search={search} />
      <Button variant="primary" type="submit">
        Find replacements
      </Button>
    </form>
  );
}

function TimeField({
  label,
  name,
  search,
}: {
  label: string;
  name: keyof typeof WHOLE;
  search: Readonly<Record<string, string>>;
}) {
  const isWhole = (search['start'] ?? WHOLE.start) === WHOLE.start && (search['end'] ?? WHOLE.end) === WHOLE.end;
  return (
    <label>
      {label}
      <PlainInput type="time" step={900} name={name} defaultValue={isWhole ? '' : (search[name] ?? WHOLE[name])} />
    </label>
  );
}

function Weekdays({ days, onChange }: { days: ReadonlySet<string>; onChange: (days: ReadonlySet<string>) => void }) {
  return (
    <fieldset aria-label="Weekdays; none for all">
      {[1, 2, 3, 4, 5, 6, 0].map((day) => (
        <label key={day}>
          <input
            type="checkbox"
            checked={days.has(String(day))}
            onChange={({ target }) => {
              const next = new Set(days);
              if (target.checked) next.add(String(day));
              else next.delete(String(day));
              onChange(next);
            }}
          />
          {WEEKDAYS[day]}
        </label>
      ))}
    </fieldset>
  );
}
