import { useId, type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes } from 'react';
import css from './field.module.css';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';

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

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> | undefined };

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

/** An input without a visible label; it needs an `aria-label`. */
export function PlainInput({
  className,
  ref,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> | undefined }) {
  return <input {...rest} ref={ref} className={cx(css.input, className)} />;
}

/** A select without a visible label, for toolbars; it needs an `aria-label`. */
export function PlainSelect({ className, ref, ...rest }: SelectProps) {
  return <select {...rest} ref={ref} className={cx(css.input, css.select, className)} />;
}

/** A search field; its placeholder is also its name for screen readers. */
export function SearchBox({
  value,
  onChange,
  placeholder,
  className,
  ref,
}: {
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  className?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}) {
  return (
    <div className={cx(css.search, className)}>
      <Icon name="search" />
      <input
        ref={ref}
        className={css.input}
        type="search"
        placeholder={placeholder}
        aria-label={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

export function Checkbox({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...rest} type="checkbox" className={cx(css.check, className)} />;
}
