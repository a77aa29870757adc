import type { PersonHistory } from '@clinic/contract';
import css from './person.module.css';

/** What happened to a person's sessions of late, newest first. */
export function Acts({ lines, timeOf }: { lines: PersonHistory['lines']; timeOf: (instant: string) => string }) {
  return (
    <>
      {lines.length === 0 ? <p className="muted">Nothing changed of late.</p> : null}
      <ol className={css.acts}>
        {lines.map(({ at, by, words }, i) => (
          <li key={i}>
            {words}
            <span className="small muted">
              {timeOf(at)}
              {by === '' ? '' : `, ${by}`}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
