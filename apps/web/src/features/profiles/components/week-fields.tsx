import { useState } from 'react';
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { weekdayName } from '@clinic/domain';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Options } from '../../../shared/ui/field.tsx';
import { PlainInput, PlainSelect } from '../../../shared/ui/plain-field.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import type { TherapistForm } from '../therapist-form.ts';
import { checkWindow, newWindow, rowsAsWindows, weeklyHours } from '../week.ts';
import { WeekPicture } from './week.tsx';
import css from './profile-form.module.css';

/** A therapist's week in the form: a picture of the week, and a row for each window. */
export function WeekFields({ form }: { form: UseFormReturn<TherapistForm> }) {
  const { control } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'availability', keyName: 'key' });
  const windows = rowsAsWindows(useWatch({ control, name: 'availability' }));
  return (
    <>
      <h3>
        Weekly Availability <span className="small muted">{weeklyHours(windows)}</span>
      </h3>
      <WeekPicture windows={windows} />
      <div className={css.windows}>
        {fields.map((field, i) => (
          <WindowRow key={field.key} form={form} field={field} index={i} onRemove={remove} />
        ))}
      </div>
      <p>
        <Button
          size="sm"
          onClick={() => append(newWindow(), { focusName: `availability.${fields.length}.day_of_week` })}
        >
          <Icon name="plus" />
          Add hours
        </Button>
      </p>
    </>
  );
}

/** Moves the focus to the row after the removed one, instead of the top of the page. */
function focusRow(rows: Element | null, index: number): void {
  const left = rows?.querySelectorAll<HTMLElement>('select') ?? [];
  left[Math.min(index, left.length - 1)]?.focus();
}

/** One window in the form: its day, its times and, if it is limited, its dates. */
function WindowRow({
  form,
  field,
  index: i,
  onRemove,
}: {
  form: UseFormReturn<TherapistForm>;
  field: TherapistForm['availability'][number];
  index: number;
  onRemove: (index: number) => void;
}) {
  const { register, formState, getValues } = form;
  const [dated, setDated] = useState(false);
  const error = formState.errors.availability?.[i]?.end_time?.message;
  const wiring = error ? { 'aria-invalid': true, 'aria-describedby': `window-${i}-error` } : {};
  return (
    <div className={css.window} role="group" aria-label={`Entry ${i + 1}`}>
      <PlainSelect aria-label={`Day, entry ${i + 1}`} {...register(`availability.${i}.day_of_week`)}>
        <Options of={[0, 1, 2, 3, 4, 5, 6].map((day) => [day, weekdayName(day)])} />
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
      {dated || field.from_date || field.until_date ? (
        <span className={css.windowDates}>
          {(['from_date', 'until_date'] as const).map((name) => (
            <DateField
              key={name}
              label={`${name === 'from_date' ? 'First' : 'Last'} date, entry ${i + 1}`}
              {...register(`availability.${i}.${name}`, { deps: [`availability.${i}.end_time`] })}
            />
          ))}
        </span>
      ) : (
        <Button variant="link" onClick={() => setDated(true)}>
          Limit to dates<span className="sr">, entry {i + 1}</span>
        </Button>
      )}
      <Button
        variant="ghost"
        icon
        aria-label={`Remove entry ${i + 1}`}
        single
        onClick={(event) => {
          const rows = event.currentTarget.closest(`.${css.windows}`);
          onRemove(i);
          requestAnimationFrame(() => focusRow(rows, i));
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
}
