import { useRef } from 'react';
import { useFieldArray, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { checkRow, newRow, type ListColumn, type ListRow, type ListSpec } from '../list-rows.ts';
import css from './list-fields.module.css';

type Rows = UseFormReturn<Record<string, ListRow[]>>;

/** One of a profile's short lists in the form. Rows can be added and removed. */
export function ListFields<F extends FieldValues>({ form, spec }: { form: UseFormReturn<F>; spec: ListSpec }) {
  // The library's types do not accept just one part of a form.
  const own = form as unknown as Rows;
  const { fields, append, remove } = useFieldArray({ control: own.control, name: spec.name, keyName: 'key' });
  const list = useRef<HTMLDivElement>(null);
  const drop = (row: number): void => {
    remove(row);
    // Moves the focus to the row after the removed one, instead of the top of the page.
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll<HTMLElement>('[role="group"]') ?? [];
      left[Math.min(row, left.length - 1)]?.querySelector('input')?.focus();
    });
  };
  return (
    <>
      <h3>{spec.title}</h3>
      {fields.length === 0 ? <p className="muted">{spec.none}</p> : null}
      <div ref={list} className={css.rows}>
        {fields.map((field, i) => (
          <div key={field.key} className={css.row} role="group" aria-label={`${spec.title}, entry ${i + 1}`}>
            <div className={css.inputs}>
              {spec.columns.map((column) => (
                <Cell key={column.field} form={own} spec={spec} row={i} column={column} />
              ))}
            </div>
            <Button
              variant="ghost"
              icon
              aria-label={`Remove entry ${i + 1} of ${spec.title.toLowerCase()}`}
              single
              onClick={() => drop(i)}
            >
              <Icon name="x" />
            </Button>
          </div>
        ))}
      </div>
      <p>
        <Button
          size="sm"
          onClick={() => append(newRow(spec), { focusName: `${spec.name}.${fields.length}.${spec.key}` })}
        >
          <Icon name="plus" />
          {spec.add}
        </Button>
      </p>
    </>
  );
}

function Cell({ form, spec, row, column }: { form: Rows; spec: ListSpec; row: number; column: ListColumn }) {
  const { field, label, input, choices = [] } = column;
  const list = spec.name;
  const { register, formState, getValues } = form;
  const wiring = {
    label,
    error: formState.errors[list]?.[row]?.[field]?.message,
    ...register(`${list}.${row}.${field}`, {
      validate: () => checkRow(spec, getValues(list)[row], column),
    }),
  };
  if (input === 'choice')
    return (
      <Select {...wiring}>
        <Options of={choices} />
      </Select>
    );
  if (input === 'number') return <Input {...wiring} autoComplete="off" inputMode="numeric" />;
  if (input === 'date') return <DateField {...wiring} />;
  return <Input {...wiring} autoComplete="off" maxLength={60} />;
}
