import type { Explanation } from '@clinic/contract';
import { ApiError, detailText } from '../../../../shared/api/client.ts';
import { isolated } from '../../../../shared/isolated.ts';
import { saidWords } from '../../../../shared/api/failure-words.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { cx } from '../../../../shared/ui/class-names.ts';
import { Skeleton } from '../../../../shared/ui/states.tsx';
import type { useExplanation } from '../api/use-explanation.ts';
import type { Chosen } from '../requests.ts';
import { takesTitle } from '../takes-title.ts';
import css from './why-popover.module.css';

/** The therapist chosen for a cell, in the form a refresh sends. */
export type ChosenTherapist = Pick<Chosen, 'therapist' | 'ask'>;

interface AnswerProps {
  /** Whether options are being solved or submitted. */
  busy: boolean;
  onChoose: (one: ChosenTherapist) => void;
}

/** Shows the reasons for a cell, gray lines while they load, or why they could not be loaded. */
export function WhyAnswer({ query, ...props }: AnswerProps & { query: ReturnType<typeof useExplanation> }) {
  if (query.data) return <Reasons explanation={query.data} {...props} />;
  return query.error ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Waiting />;
}

function Reasons({ explanation: e, busy, onChoose }: AnswerProps & { explanation: Explanation }) {
  const next = e.next_best?.therapist;
  const most = Math.max(1, ...e.excluded.map((x) => x.count));
  return (
    <>
      <Lines lines={e.about} />
      <Lines title="For" lines={e.speaks_for} />
      <Lines title="Against" lines={e.costs} />
      {e.hours ? <p className={cx('small muted', css.hours)}>{e.hours}</p> : null}
      {e.next_best ? <p className={css.next}>{isolated(e.next_best.difference)}</p> : null}
      {next === undefined ? null : (
        <p className={css.act}>
          <Button size="sm" unavailable={busy} onClick={() => onChoose({ therapist: next })}>
            Use {next}
          </Button>
        </p>
      )}
      {e.excluded.length > 0 ? (
        <>
          <p
            className={cx('small muted', css.hours)}
          >{`Of ${e.therapists} ${e.therapists === 1 ? 'therapist' : 'therapists'}, in this option:`}</p>
          <ul className={css.tally}>
            {e.excluded.map((x) => (
              <li key={x.reason}>
                <details>
                  <summary>
                    <span className={css.count}>{x.count}</span>
                    <span>{x.reason.replace(/^\d+ /, '')}</span>
                    <span className={css.measure} style={{ '--v': x.count / most }} />
                  </summary>
                  <p>{x.therapists.map(isolated).join(', ')}</p>
                </details>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {e.what_it_would_take ? (
        <div className={css.take}>
          <b>{takesTitle(e.what_it_would_take)}</b> {isolated(e.what_it_would_take.words)}
          <Lines lines={e.what_it_would_take.changes} />
        </div>
      ) : null}
    </>
  );
}

function Lines({ title, lines }: { title?: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      {title ? <p className={css.sub}>{title}</p> : null}
      <ul className={css.lines}>
        {lines.map((line) => (
          <li key={line}>{isolated(line)}</li>
        ))}
      </ul>
    </>
  );
}

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <p role="alert" className={css.error}>
      {error instanceof ApiError
        ? (detailText(error.detail) ?? 'The reason could not be found.')
        : `${saidWords(error)} The options have not changed; only the reason is missing.`}{' '}
      <Button variant="link" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}

function Waiting() {
  return (
    <div className={css.wait} role="status" aria-label="Finding the reason">
      <Skeleton style={{ height: '1rem' }} />
      <Skeleton style={{ height: '1rem', width: '80%' }} />
      <Skeleton style={{ height: '1rem', width: '90%' }} />
    </div>
  );
}
