import css from './page.module.css';

/** Says on paper, where the toolbar is left out, what a page shows. */
export const PrintedTitle = ({ children }: { children: string }) => <h2 className={css.printed}>{children}</h2>;
