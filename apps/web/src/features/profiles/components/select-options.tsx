import { GENDERS, SPECIALIZATIONS } from '@clinic/domain';
import { useLocations } from '../../../shared/session/session-info.ts';

const Choose = () => (
  <option value="" disabled>
    Choose
  </option>
);

export function LocationOptions() {
  const own = useLocations();
  return (
    <>
      <Choose />
      {own.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </>
  );
}

const list = (values: readonly string[]) => () => (
  <>
    <Choose />
    {values.map((value) => (
      <option key={value}>{value}</option>
    ))}
  </>
);
export const GenderOptions = list(GENDERS);
export const SpecializationOptions = list(SPECIALIZATIONS);
