import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import css from './two-columns.module.css';

/** A sheet in two columns, which scroll on their own; on a phone they stand below each other and the sheet scrolls. */
export function TwoColumns({
  narrow,
  loading,
  children,
}: {
  /** The second column takes less of the width. */
  narrow?: boolean;
  /** What is being loaded, while this is only the outline. */
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
  /** The column's name as a region; without it, the column is only an outline. */
  label?: string;
  children?: ReactNode;
}

const regionOf = (label: string | undefined) =>
  label === undefined ? {} : { tabIndex: 0, role: 'region', 'aria-label': label };

/** `flush`: without space at the sides, for rows that are as wide as the column. */
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

/** A part of the side column, under its own title. */
export function SideSection(props: { id: string; title: string; className?: string | undefined; children: ReactNode }) {
  const { id, title, className, children } = props;
  return (
    <section aria-labelledby={`${id}-title`} className={className}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** Rows with a line between them: words on the left, what to do about them on the right. */
export const SideList = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <ul className={cx(css.list, className)}>{children}</ul>
);

/** The page's main figure, as large words. */
export const Headline = ({ live, children }: { live?: boolean; children: ReactNode }) => (
  <p className={css.headline} role={live ? 'status' : undefined}>
    {children}
  </p>
);
