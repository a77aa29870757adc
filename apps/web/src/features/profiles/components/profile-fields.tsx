import type { ComponentType } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { Input, Select } from '../../../shared/ui/field.tsx';
import { checkField, type DrawnField } from '../form-fields.ts';
import type { Profile, ProfileSpec } from '../profile-spec.ts';
import { GenderOptions, LocationOptions, SpecializationOptions } from './select-options.tsx';
import css from './profile-form.module.css';

const CHOICES: Partial<Record<DrawnField['input'], ComponentType>> = {
  location: LocationOptions,
  gender: GenderOptions,
  specialization: SpecializationOptions,
};

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
        const Choices = CHOICES[field.input];
        if (Choices)
          return (
            <Select key={name} {...shared}>
              <Choices />
            </Select>
          );
        return (
          <Input
            key={name}
            {...shared}
            {...(field.input === 'date' ? { type: 'date' } : { autoComplete: 'off' })}
            {...modeOf(field)}
          />
        );
      })}
    </div>
  );
}
