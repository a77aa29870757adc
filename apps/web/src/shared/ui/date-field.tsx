import { useState, type ComponentProps } from 'react';
import { parseDate } from '@clinic/domain';
import { Input } from './field.tsx';
import { PlainInput } from './plain-field.tsx';

type Props = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'label'> & {
  label: string;
  /** Whether the label is only for screen readers. */
  plain?: boolean;
  /** The date, or an empty text. Left out by a form that reads the field when it is sent. */
  value?: string;
  /** Gets each date that is whole, and an empty text once the field is emptied. */
  onDate?: (date: string) => void;
  /** Whether an empty date is taken back when one leaves the field. */
  keeps?: boolean;
};

/** A date: the one kind of field for it, in every form. */
export function DateField({ label, plain, value, onDate, keeps = false, error, hint, ...rest }: Props) {
  const held = useHeld(value ?? '', onDate, keeps);
  const field: ComponentProps<'input'> = { ...rest, ...(onDate && held), type: 'date' };
  return plain ? (
    <PlainInput aria-label={label} {...field} />
  ) : (
    <Input label={label} error={error} hint={hint} {...field} />
  );
}

/**
 * While a year is being typed, the field holds years such as 0002; they stay in the field until the date is complete,
 * and a date that is still incomplete when one leaves the field is taken back.
 */
function useHeld(value: string, onDate: Props['onDate'], keeps: boolean): ComponentProps<'input'> {
  const [typed, setTyped] = useState<string | null>(null);
  const isEmptied = ({ value: text, validity }: HTMLInputElement): boolean =>
    !keeps && text === '' && !validity.badInput;
  return {
    value: typed ?? value,
    onChange: ({ target }) => {
      const isDone = parseDate(target.value) !== null || isEmptied(target);
      setTyped(isDone ? null : target.value);
      if (isDone) onDate?.(target.value);
    },
    // A date that is emptied part by part is empty for the browser as soon as one part is.
    onBlur: ({ target }) => {
      setTyped(null);
      if (typed === '' && isEmptied(target)) onDate?.('');
    },
  };
}
