import type { UseQueryResult } from '@tanstack/react-query';
import type { ChoicesReply } from '@clinic/contract';
import { parseDate, type Location } from '@clinic/domain';
import { hoursBeside, useHours } from '../api/use-hours.ts';
import { saidWords } from '../api/failure-words.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/states.tsx';
import css from './choice-list.module.css';

export type Choice = ChoicesReply['choices'][number];

/**
 * Everyone who could take a session instead, least costly first, each with the reason and their hours. Below them, the
 * therapists who could take the session by staying late or coming early, and those who cannot take it.
 */
export function ChoiceList({
  query,
  location,
  date,
  busy,
  onChoose,
  onEnter,
}: {
  query: UseQueryResult<ChoicesReply>;
  location: Location;
  date: string;
  busy: boolean;
  onChoose: (choice: Choice) => void;
  /** Enters the name in a form, and does nothing else. `onChoose` opens the options with this therapist pinned. */
  onEnter?: ((choice: Choice) => void) | undefined;
}) {
  const hours = useHours(location, parseDate(date)).data?.rows;
  if (query.error)
    return (
      <p role="alert" className="small alarm">
        Failed to load who could take it. {saidWords(query.error)}{' '}
        <Button variant="link" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </p>
    );
  if (!query.data)
    return (
      <div role="status" aria-label="Finding who could take it">
        <Skeleton style={{ height: '1rem' }} />
        <Skeleton style={{ height: '1rem', width: '80%' }} />
      </div>
    );
  const able = query.data.choices.filter((choice) => choice.possible);
  return (
    <>
      {able.length === 0 ? <p className="small">No one else who works that day can take this.</p> : null}
      <ul
        className={css.able}
        aria-label="Who else could take it"
        onKeyDown={({ key, currentTarget }) =>
          currentTarget.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')[Number(key) - 1]?.click()
        }
      >
        {able.map((choice, i) => {
          const row = hours?.find((each) => each.id === choice.id);
          return (
            <li key={choice.id}>
              <button
                type="button"
                disabled={busy}
                aria-keyshortcuts={i < 9 ? String(i + 1) : undefined}
                onClick={() => onChoose(choice)}
              >
                {i < 9 ? <kbd aria-hidden="true">{i + 1}</kbd> : null}
                <b>{choice.therapist}</b> <span>{choice.words}</span>
                {choice.ask === null ? null : <span className={css.ask}>{choice.ask}</span>}
                {row ? <span className={css.hours}>{hoursBeside(row)}</span> : null}
              </button>
              {onEnter ? (
                <Button size="sm" variant="ghost" unavailable={busy} onClick={() => onEnter(choice)}>
                  Enter name<span className="sr"> of {choice.therapist}</span>
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
      <Others unfit={query.data.choices.filter((choice) => !choice.possible)} />
    </>
  );
}

const Others = ({ unfit }: { unfit: readonly Choice[] }) =>
  unfit.length === 0 ? null : (
    <details className={css.others}>
      <summary>{unfit.length === 1 ? '1 person cannot take it' : `${unfit.length} people cannot take it`}</summary>
      <ul>
        {unfit.map(({ id, therapist, words }) => (
          <li key={id}>
            {therapist} <span className="muted">{words}</span>
          </li>
        ))}
      </ul>
    </details>
  );
