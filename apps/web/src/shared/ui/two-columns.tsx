import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import css from './two-columns.module.css';

/** A sheet in two columns that scroll by themselves. On a phone they stand below each other, and the sheet scrolls. */
export function TwoColumns({
  narrow,
  loading,
  children,
}: {
  /** Whether the second column is narrow. */
  narrow?: boolean;
  /** What is being loaded; then the columns are only an outline. */
  loading?: string;
  children: ReactNode;
}) {
  const status = loading === undefined ? {} : { role: 'status', 'aria-label': loading };
  return (
    <div className={cx(css.columns, narrow && css.narrow)} {...status}>
      {children}
    </div>
  );
}

interface ColumnProps {
  /** The name of the column for screen readers; without one it is only an outline. */
  label?: string;
  children?: ReactNode;
}

const regionOf = (label: string | undefined) =>
  label === undefined ? {} : { tabIndex: 0, role: 'region', 'aria-label': label };

/** With `flush`, rows are as wide as the column, without space at the sides. */
export const MainColumn = ({ label, flush, children }: ColumnProps & { flush?: boolean }) => (
  <div className={cx(css.main, flush && css.flush)} {...regionOf(label)}>
    {children}
  </div>
);

export const SideColumn = ({ label, children }: ColumnProps) => (
  <div className={css.side} {...regionOf(label)}>
    {children}
  </div>
);

/** A part of the side column with a title of its own. */
export function SideSection(props: { id: string; title: string; className?: string | undefined; children: ReactNode }) {
  const { id, title, className, children } = props;
  return (
    <section aria-labelledby={`${id}-title`} className={className}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** Rows with lines between them: words on the left, a button on the right. */
export const SideList = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <ul className={cx(css.list, className)}>{children}</ul>
);

/** The page's main figure, in large letters. */
export const Headline = ({ live, children }: { live?: boolean; children: ReactNode }) => (
  <p className={css.headline} role={live ? 'status' : undefined}>
    {children}
  </p>
);
