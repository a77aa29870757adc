import { useState, type ComponentProps } from 'react';
import { parseDate } from '@clinic/domain';
import { Input } from './field.tsx';
import { PlainInput } from './plain-field.tsx';

type Props = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'onBlur' | 'label'> & {
  label: string;
  /** Whether the label is only for screen readers. */
  plain?: boolean;
  /** The date, or an empty text. */
  value: string;
  /** Whether an empty date is taken back when one leaves the field. */
  keeps?: boolean;
  onChange: (date: string) => void;
};

/**
 * A date. While a year is being typed, the field holds years such as 0002; they stay in the field until the date is
 * complete, and a date that is still incomplete when one leaves the field is taken back.
 */
export function DateField({ label, plain, value, keeps, onChange, error, hint, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const isEmptied = ({ value: text, validity }: HTMLInputElement): boolean =>
    !keeps && text === '' && !validity.badInput;
  const field: ComponentProps<'input'> = {
    ...rest,
    type: 'date',
    value: typed ?? value,
    onChange: ({ target }) => {
      const isDone = parseDate(target.value) !== null || isEmptied(target);
      setTyped(isDone ? null : target.value);
      if (isDone) onChange(target.value);
    },
    // A date that is emptied part by part is empty for the browser as soon as one part is.
    onBlur: ({ target }) => {
      setTyped(null);
      if (typed === '' && isEmptied(target)) onChange('');
    },
  };
  return plain ? (
    <PlainInput aria-label={label} {...field} />
  ) : (
    <Input label={label} error={error} hint={hint} {...field} />
  );
}
