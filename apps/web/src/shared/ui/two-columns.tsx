import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import css from './two-columns.module.css';

/** A sheet with two columns that scroll separately. On a phone the columns are stacked and the sheet scrolls. */
export function TwoColumns({
  narrow,
  loading,
  children,
}: {
  /** Whether the second column is narrow. */
  narrow?: boolean;
  /** What is loading, in words. When set, the columns are only an outline. */
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
  /** The column's name for screen readers. Without a name, the column is only an outline. */
  label?: string;
  children?: ReactNode;
}

const regionOf = (label: string | undefined) =>
  label === undefined ? {} : { tabIndex: 0, role: 'region', 'aria-label': label };

/** The main column. With `flush`, its rows reach the column's edges. */
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

/** A part of the side column with its own title. */
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
