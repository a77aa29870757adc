import { GENDERS, LOCATIONS, SPECIALIZATIONS } from '@clinic/domain';

const Choose = () => (
  <option value="" disabled>
    Choose
  </option>
);

export const LocationOptions = () => (
  <>
    <Choose />
    {LOCATIONS.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </>
);

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
