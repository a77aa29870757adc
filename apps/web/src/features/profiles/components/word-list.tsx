import css from './list-fields.module.css';

/**
 * One of a profile's short lists, for reading: its title, and each entry in words. Renders nothing when the list is
 * empty.
 */
export function WordList({ title, words }: { title: string; words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul aria-label={title} className={css.words}>
        {words.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </>
  );
}
