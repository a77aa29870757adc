import { useRef, useState } from 'react';
import { useFieldArray, useWatch, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { CONTACT_WAYS, MOST_CONTACTS } from '@clinic/contract';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { checkContact, newContact, WAY_WORDS, type ContactRow } from '../contacts.ts';
import css from './contacts.module.css';

interface WithContacts {
  contacts: ContactRow[];
}

/** A person's contacts in the form. Contacts can be added, removed and reordered; the first one is tried first. */
export function ContactFields<F extends FieldValues & WithContacts>({ form }: { form: UseFormReturn<F> }) {
  // Both profile forms have contacts, but the library's types do not accept just that part of a form.
  const own = form as unknown as UseFormReturn<WithContacts>;
  const { fields, append, remove, move } = useFieldArray({ control: own.control, name: 'contacts', keyName: 'key' });
  const rows = useWatch({ control: own.control, name: 'contacts' });
  const list = useRef<HTMLDivElement>(null);
  const [said, say] = useState('');

  /** Sets the focus after the rows are rendered again, so that keyboard users keep their place. */
  const focus = (row: number, what: string): void => {
    requestAnimationFrame(() => {
      list.current?.children[row]?.querySelector<HTMLElement>(what)?.focus();
    });
  };
  const moveTo = (from: number, to: number): void => {
    const last = fields.length - 1;
    move(from, to);
    say(`${nameOf(rows[from], from)} is now ${to + 1} of ${fields.length}`);
    focus(to, (to < from && to > 0) || to === last ? '[data-move="up"]' : '[data-move="down"]');
  };
  const drop = (row: number): void => {
    say(`${nameOf(rows[row], row)} removed`);
    remove(row);
    focus(Math.min(row, fields.length - 2), 'input');
  };

  return (
    <>
      <h3>{LABELS.contacts}</h3>
      {fields.length === 0 ? <p className="muted">No contacts yet.</p> : null}
      <div ref={list} className={css.rows}>
        {fields.map((field, i) => (
          <div key={field.key} className={css.row} role="group" aria-label={nameOf(rows[i], i)}>
            <ContactInputs form={own} row={i} />
            <span className={css.acts}>
              <Button
                variant="ghost"
                icon
                data-move="up"
                unavailable={i === 0}
                aria-label={`Move ${nameOf(rows[i], i)} up`}
                onClick={() => moveTo(i, i - 1)}
              >
                <Icon name="up" />
              </Button>
              <Button
                variant="ghost"
                icon
                data-move="down"
                unavailable={i === fields.length - 1}
                aria-label={`Move ${nameOf(rows[i], i)} down`}
                onClick={() => moveTo(i, i + 1)}
              >
                <Icon name="down" />
              </Button>
              <Button variant="ghost" icon aria-label={`Remove ${nameOf(rows[i], i)}`} single onClick={() => drop(i)}>
                <Icon name="x" />
              </Button>
            </span>
          </div>
        ))}
      </div>
      <p>
        <Button
          size="sm"
          unavailable={fields.length >= MOST_CONTACTS}
          onClick={() => append(newContact(), { focusName: `contacts.${fields.length}.name` })}
        >
          <Icon name="plus" />
          Add a contact
        </Button>
      </p>
      <p className="sr" role="status">
        {said}
      </p>
    </>
  );
}

/** A contact's name, or `contact 2` until one is typed. */
const nameOf = (row: ContactRow | undefined, i: number): string => row?.name.trim() || `contact ${i + 1}`;

function ContactInputs({ form, row }: { form: UseFormReturn<WithContacts>; row: number }) {
  const { register, formState, getValues } = form;
  const checked = (field: 'name' | 'phone' | 'email' | 'preferred', deps: readonly ('name' | 'preferred')[] = []) => ({
    label: LABELS[field],
    error: formState.errors.contacts?.[row]?.[field]?.message,
    ...register(`contacts.${row}.${field}`, {
      validate: () => checkContact(getValues('contacts')[row], field),
      deps: deps.map((other) => `contacts.${row}.${other}` as const),
    }),
  });
  return (
    <div className={css.inputs}>
      <Input autoComplete="off" {...checked('name')} />
      <Input autoComplete="off" label={LABELS.relation} {...register(`contacts.${row}.relation`)} />
      <Input autoComplete="off" label={LABELS.language} {...register(`contacts.${row}.language`)} />
      <Input type="tel" autoComplete="off" {...checked('phone', ['preferred'])} />
      <Input type="email" autoComplete="off" {...checked('email', ['preferred'])} />
      <Select {...checked('preferred')}>
        <option value="">No preference</option>
        <Options of={CONTACT_WAYS.map((way) => [way, WAY_WORDS[way]])} />
      </Select>
    </div>
  );
}
