import type { InputHTMLAttributes, Ref, SelectHTMLAttributes } from 'react';
import css from './field.module.css';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';

// The first page has only these fields, so they are not in a file with the others.

export type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> | undefined };

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
