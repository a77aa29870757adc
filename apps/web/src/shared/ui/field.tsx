import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import css from './field.module.css';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import type { SelectProps } from './plain-field.tsx';

interface Shared {
  label: ReactNode;
  /**
   * What is wrong with the field. The text is shown beside the field and read out with it, and the field is marked
   * invalid.
   */
  error?: string | null | undefined;
  hint?: ReactNode;
  /** Makes the field 40 px high, for main tasks. */
  large?: boolean | undefined;
  /** Whether screen readers read the error as soon as it appears. */
  announce?: boolean | undefined;
}

interface Wiring {
  id: string;
  className: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** What is wrong with a value, shown below its field. */
export function FieldError({
  id,
  announce,
  children,
}: {
  id?: string | undefined;
  /** Whether screen readers read the error as soon as it appears. */
  announce?: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <p className={css.error} id={id} role={announce ? 'alert' : undefined}>
      <Icon name="warn" />
      {children}
    </p>
  );
}

/** A label with its control, error and hint, connected for screen readers. */
function Field({
  label,
  error,
  hint,
  large,
  announce,
  children,
}: Shared & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const described = cx(error ? `${id}-error` : '', hint ? `${id}-hint` : '');
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        className: cx(css.input, large && css.lg),
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {error ? (
        <FieldError id={`${id}-error`} announce={announce}>
          {error}
        </FieldError>
      ) : null}
      {hint ? (
        <p className={css.hint} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

export function Input({
  label,
  error,
  hint,
  large,
  announce,
  ref,
  ...rest
}: Shared & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> | undefined }) {
  return (
    <Field label={label} error={error} hint={hint} large={large} announce={announce}>
      {(wiring) => <input {...rest} {...wiring} ref={ref} />}
    </Field>
  );
}

export function Select({ label, error, hint, large, announce, ref, children, ...rest }: Shared & SelectProps) {
  return (
    <Field label={label} error={error} hint={hint} large={large} announce={announce}>
      {(wiring) => (
        <select {...rest} {...wiring} className={cx(wiring.className, css.select)} ref={ref}>
          {children}
        </select>
      )}
    </Field>
  );
}

/** The choices of a select: each value, and its words. */
export const Options = ({ of }: { of: readonly (readonly [value: string | number, words: string])[] }) =>
  of.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));

export function Checkbox({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...rest} type="checkbox" className={cx(css.check, className)} />;
}
