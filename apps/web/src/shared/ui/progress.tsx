import css from './progress.module.css';

/** How far work has come. `part` goes from 0 to 1; null shows only that it goes on, since nobody knows how far it is. */
export function Progress({ words, after = '', part }: { words: string; after?: string; part: number | null }) {
  return (
    <div className={css.progress}>
      <p>
        <b>{words}</b>
        {after}
      </p>
      <progress aria-label={words} max={1} {...(part === null ? {} : { value: part })} />
    </div>
  );
}

/** How much of a file has arrived; null while it is being made. */
export const downloadWords = (making: string, part: number | null): string =>
  part === null ? making : `Downloading ${Math.round(part * 100)}%`;
