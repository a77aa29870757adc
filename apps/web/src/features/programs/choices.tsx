import type { Location } from '@clinic/domain';
import { useLocations } from '../../shared/session/session-info.ts';
import { Checkbox } from '../../shared/ui/field.tsx';
import css from './programs.module.css';

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly of: readonly (readonly [value: T, label: string])[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: T[]) => void;
}

/** Boxes of which any may be checked. */
export const Choices = <T extends string>({ legend, of, chosen, onChange }: ChoicesProps<T>) => (
  <fieldset className={css.choices}>
    <legend>{legend}</legend>
    {of.map(([value, label]) => (
      <label key={value}>
        <Checkbox
          checked={chosen.includes(value)}
          onChange={({ target }) =>
            onChange(of.flatMap(([each]) => ((each === value ? target.checked : chosen.includes(each)) ? [each] : [])))
          }
        />
        {label}
      </label>
    ))}
  </fieldset>
);

/** All locations, or those that are checked. */
export function Places({
  locations,
  onChange,
}: {
  readonly locations: readonly Location[] | null;
  readonly onChange: (locations: Location[] | null) => void;
}) {
  const of = useLocations().map(({ value, label }) => [value, label] as const);
  return (
    <>
      <label className={css.all}>
        <Checkbox checked={locations === null} onChange={({ target }) => onChange(target.checked ? null : [])} />
        All locations
      </label>
      {locations === null ? null : <Choices legend="Locations" of={of} chosen={locations} onChange={onChange} />}
    </>
  );
}
