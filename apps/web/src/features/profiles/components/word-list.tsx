import css from './list-fields.module.css';

/**
 * One of a profile's short lists, for reading: its title, and each entry in words. An empty list shows the sentence in
 * `none`, or nothing if there is none.
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
