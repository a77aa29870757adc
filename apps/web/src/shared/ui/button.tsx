import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import css from './button.module.css';
import { cx } from './class-names.ts';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'autoFocus'> {
  variant?: 'default' | 'primary' | 'ghost' | 'danger' | 'link' | undefined;
  size?: 'sm' | 'md' | 'lg' | undefined;
  /** Makes a square button that holds only an icon; such a button needs an `aria-label`. */
  icon?: boolean | undefined;
  /** Makes the button do nothing for now; it can still be found and focused. */
  unavailable?: boolean | undefined;
  /**
   * Ignores the second click of a double click. For a button whose click takes away its own row: the second click would
   * hit the button of the next row, which has moved there.
   */
  single?: boolean | undefined;
  /** Whether the button gets the focus when its dialog opens. */
  autoFocus?: boolean | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
  children?: ReactNode;
}

export function buttonClass({
  variant = 'default',
  size = 'md',
  icon = false,
}: Pick<ButtonProps, 'variant' | 'size' | 'icon'>): string {
  if (variant === 'link') return css.link ?? '';
  return cx(css.button, variant !== 'default' && css[variant], size !== 'md' && css[size], icon && css.icon);
}

export function Button({
  variant,
  size,
  icon,
  unavailable,
  single,
  className,
  onClick,
  autoFocus,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(unavailable ? { 'aria-disabled': true } : {})}
      {...(autoFocus ? { 'data-autofocus': '' } : {})}
      className={cx(buttonClass({ variant, size, icon }), className)}
      onClick={(event) => {
        if (unavailable || (single && event.detail > 1)) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

/** A number inside a button. */
export const Count = ({ children }: { children: ReactNode }) => <span className={css.count}>{children}</span>;
