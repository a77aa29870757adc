import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { Input, Select } from '../../../shared/ui/field.tsx';
import type { ProfileField } from '../profile-spec.ts';
import css from './profile-form.module.css';

/** The first section of a profile in edit mode. */
export function ProfileFields<F extends FieldValues>({
  form,
  fields,
  columns,
}: {
  form: UseFormReturn<F>;
  fields: readonly ProfileField<F>[];
  columns: 2 | 3;
}) {
  const { register, formState } = form;
  return (
    <div className={columns === 3 ? css.three : css.two}>
      {fields.map(({ name, label, input: Choices, required, check }) => {
        const path = name as unknown as Path<F>;
        const error = formState.errors[name]?.message;
        const shared = {
          label,
          required,
          error: typeof error === 'string' ? error : undefined,
          ...register(path, { validate: (value: unknown) => check(value as string) }),
        };
        if (typeof Choices !== 'string')
          return (
            <Select key={name} {...shared}>
              <Choices />
            </Select>
          );
        return (
          <Input
            key={name}
            {...shared}
            {...(Choices === 'date' ? { type: 'date' } : { autoComplete: 'off' })}
            {...(Choices === 'numeric' ? { inputMode: 'numeric' as const } : {})}
          />
        );
      })}
    </div>
  );
}
