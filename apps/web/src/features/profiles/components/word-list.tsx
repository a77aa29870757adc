import css from './list-fields.module.css';

/**
 * One of a profile's short lists, for reading: its title, and each entry in words. If there are no entries, shows the
 * sentence `none`; without that sentence, renders nothing.
 */
export function WordList({
  title,
  words,
  none,
}: {
  title: string;
  words: readonly string[];
  none?: string | undefined;
}) {
  if (words.length === 0)
    return none ? (
      <>
        <h3>{title}</h3>
        <p className="muted">{none}</p>
      </>
    ) : null;
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
