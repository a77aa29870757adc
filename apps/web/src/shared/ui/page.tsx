import { useEffect, type ReactNode } from 'react';
import css from './page.module.css';
import { cx } from './class-names.ts';

/** A page: a toolbar on a tinted background, and a white sheet below it. Sets the title of the browser's tab. */
export function Page({ title, toolbar, children }: { title: string; toolbar: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} - Scheduler`;
  }, [title]);
  return (
    <div className={css.main}>
      <header className={css.toolbar}>{toolbar}</header>
      {children}
    </div>
  );
}

/** A page's buttons, at the end of its toolbar. */
export function PageActs({ children }: { children: ReactNode }) {
  return <div className={css.acts}>{children}</div>;
}

export function Sheet({
  className,
  fills,
  children,
}: {
  className?: string | undefined;
  /**
   * Makes the sheet as high as the window. `parts`: each part of the sheet scrolls separately. `scrolling`: the sheet
   * scrolls as a whole.
   */
  fills?: 'page' | 'parts' | 'scrolling' | undefined;
  children: ReactNode;
}) {
  return <div className={cx(css.sheet, fills && css[fills], className)}>{children}</div>;
}
