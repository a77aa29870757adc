import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { GENDERS, SPECIALIZATIONS } from '@clinic/domain';
import { useLocations } from '../../../shared/session/session-info.ts';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { checkField, type DrawnField } from '../form-fields.ts';
import type { Profile, ProfileSpec } from '../profile-spec.ts';
import css from './profile-form.module.css';

type Choices = readonly (readonly [value: string, words: string])[];
const choicesOf = (values: readonly string[]): Choices => values.map((value) => [value, value]);

/** The keyboard that a phone shows for the field. */
const modeOf = ({ input }: DrawnField): { inputMode?: 'numeric' | 'decimal' } =>
  input === 'number' ? { inputMode: 'numeric' } : input === 'hours' ? { inputMode: 'decimal' } : {};

export function ProfileFields<P extends Profile, F extends FieldValues, B>({
  form,
  spec,
}: {
  form: UseFormReturn<F>;
  spec: ProfileSpec<P, F, B>;
}) {
  const { register, formState } = form;
  const choices: Partial<Record<DrawnField['input'], Choices>> = {
    location: useLocations().map(({ value, label }) => [value, label]),
    gender: choicesOf(GENDERS),
    specialization: choicesOf(SPECIALIZATIONS),
  };
  return (
    <div className={spec.columns === 3 ? css.three : css.two}>
      {Object.entries(spec.fields).map(([name, field]) => {
        const error = formState.errors[name]?.message;
        const label = spec.labels[name] ?? name;
        const shared = {
          label: field.hint === undefined ? label : `${label} ${field.hint}`,
          required: field.required,
          error: typeof error === 'string' ? error : undefined,
          ...register(name as Path<F>, { validate: (value: unknown) => checkField(field, label, value as string) }),
        };
        const own = choices[field.input];
        if (own)
          return (
            <Select key={name} {...shared}>
              <option value="" disabled>
                Choose
              </option>
              <Options of={own} />
            </Select>
          );
        if (field.input === 'date') return <DateField key={name} {...shared} />;
        return <Input key={name} {...shared} autoComplete="off" {...modeOf(field)} />;
      })}
    </div>
  );
}
