import { useEffect, type ReactNode } from 'react';
import css from './page.module.css';
import { cx } from './class-names.ts';

/**
 * A page inside the frame: a toolbar on the tinted background, and a white sheet below it. Sets the document's title.
 */
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

export function Sheet({
  className,
  fills,
  children,
}: {
  className?: string | undefined;
  /**
   * Always as high as the page, whatever it contains. `parts`: what it contains scrolls, each part on its own;
   * `scrolling`: the sheet itself scrolls.
   */
  fills?: 'page' | 'parts' | 'scrolling' | undefined;
  children: ReactNode;
}) {
  return <div className={cx(css.sheet, fills && css[fills], className)}>{children}</div>;
}
