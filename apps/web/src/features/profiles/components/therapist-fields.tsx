import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { weekdayName } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { Input, PlainInput, PlainSelect, Select } from '../../../shared/ui/field.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import {
  checkConsistency,
  checkStartDate,
  checkWindow,
  newWindow,
  requiredText,
  type TherapistForm,
} from '../model.ts';
import { rowsAsWindows, weeklyHours } from '../week.ts';
import { GenderOptions, LocationOptions, SpecializationOptions } from './select-options.tsx';
import { WeekPicture } from './week.tsx';
import css from './profile-form.module.css';

type Form = UseFormReturn<TherapistForm>;

/** A therapist in edit mode: general information, then the week as a picture and as rows. */
export function TherapistFields({ form }: { form: Form }) {
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <>
      <h3>General Information</h3>
      <div className={css.three}>
        <Input
          label="First name"
          required
          autoComplete="off"
          error={errors.first_name?.message}
          {...register('first_name', { validate: requiredText('First name') })}
        />
        <Input
          label="Last name"
          required
          autoComplete="off"
          error={errors.last_name?.message}
          {...register('last_name', { validate: requiredText('Last name') })}
        />
        <Select
          label="Location"
          required
          error={errors.location?.message}
          {...register('location', { validate: requiredText('Location') })}
        >
          <LocationOptions />
        </Select>
        <Select
          label="Specialization"
          required
          error={errors.specialization?.message}
          {...register('specialization', { validate: requiredText('Specialization') })}
        >
          <SpecializationOptions />
        </Select>
        <Select
          label="Gender"
          required
          error={errors.gender?.message}
          {...register('gender', { validate: requiredText('Gender') })}
        >
          <GenderOptions />
        </Select>
        <Input
          label="Start date"
          type="date"
          required
          error={errors.start_date?.message}
          {...register('start_date', { validate: checkStartDate })}
        />
        <Input
          label="Consistency (0 to 100)"
          inputMode="numeric"
          error={errors.consistency?.message}
          {...register('consistency', { validate: checkConsistency })}
        />
      </div>
      <Week form={form} />
    </>
  );
}

function Week({ form }: { form: Form }) {
  const { control, register, formState, getValues } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'availability', keyName: 'key' });
  const windows = rowsAsWindows(useWatch({ control, name: 'availability' }));
  const errors = formState.errors.availability;
  return (
    <>
      <h3>
        Weekly Availability <span className="small muted">{weeklyHours(windows)}</span>
      </h3>
      <WeekPicture windows={windows} />
      <div className={css.windows}>
        {fields.map((field, i) => {
          const error = errors?.[i]?.end_time?.message;
          const wiring = error ? { 'aria-invalid': true, 'aria-describedby': `window-${i}-error` } : {};
          return (
            <div key={field.key} className={css.window} role="group" aria-label={`Entry ${i + 1}`}>
              <PlainSelect aria-label={`Day, entry ${i + 1}`} {...register(`availability.${i}.day_of_week`)}>
                {[0, 1, 2, 3, 4, 5, 6].map((day) => (
                  <option key={day} value={day}>
                    {weekdayName(day)}
                  </option>
                ))}
              </PlainSelect>
              <PlainInput
                type="time"
                step={900}
                aria-label={`From, entry ${i + 1}`}
                {...register(`availability.${i}.start_time`, { deps: [`availability.${i}.end_time`] })}
              />
              <PlainInput
                type="time"
                step={900}
                aria-label={`To, entry ${i + 1}`}
                {...wiring}
                {...register(`availability.${i}.end_time`, {
                  validate: () => checkWindow(getValues('availability'), i),
                })}
              />
              <Button
                variant="ghost"
                icon
                aria-label={`Remove entry ${i + 1}`}
                onClick={(event) => {
                  const rows = event.currentTarget.closest(`.${css.windows}`);
                  remove(i);
                  // The focus goes to what took its place, not to the page's top.
                  requestAnimationFrame(() => {
                    const left = rows?.querySelectorAll<HTMLElement>('select') ?? [];
                    left[Math.min(i, left.length - 1)]?.focus();
                  });
                }}
              >
                <Icon name="x" />
              </Button>
              {error ? (
                <p className={css.windowError} id={`window-${i}-error`}>
                  <Icon name="warn" />
                  {error}
                </p>
              ) : null}
            </div>
          );
        })}
      </div>
      <p>
        <Button
          size="sm"
          onClick={() => append(newWindow(), { focusName: `availability.${fields.length}.day_of_week` })}
        >
          <Icon name="plus" />
          Add a window
        </Button>
      </p>
    </>
  );
}
