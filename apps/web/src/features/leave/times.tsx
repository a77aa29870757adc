import css from './leave.module.css';
import { Input } from '../../shared/ui/field.tsx';

interface TimesOf {
  begin: string;
  end: string;
}

/** From when until when somebody is away. `error` is about the end. */
export function Times({
  times,
  error = null,
  onChange,
}: {
  times: TimesOf;
  error?: string | null;
  onChange: (times: TimesOf) => void;
}) {
  return (
    <div className={css.times}>
      <Input
        label="From"
        type="time"
        step={900}
        value={times.begin}
        onChange={({ target }) => onChange({ ...times, begin: target.value })}
      />
      <Input
        label="To"
        type="time"
        step={900}
        value={times.end}
        error={error}
        onChange={({ target }) => onChange({ ...times, end: target.value })}
      />
    </div>
  );
}
