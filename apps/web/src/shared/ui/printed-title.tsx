import css from './page.module.css';

/** A printed heading that says what a page shows, since printouts leave out the toolbar. */
export const PrintedTitle = ({ children }: { children: string }) => <h2 className={css.printed}>{children}</h2>;
