import type { ProposalMetadata } from '@clinic/contract';
import { Button } from '../../../../shared/ui/button.tsx';
import { Skeleton } from '../../../../shared/ui/states.tsx';
import { useChoices } from '../api/use-choices.ts';
import type { CellAddress } from '../api/use-explanation.ts';
import css from './choice-list.module.css';

/** Everyone who could take a cell instead, least costly first, each with the reason; then those who cannot. */
export function ChoiceList({
  metadata,
  cell,
  busy,
  onChoose,
}: {
  metadata: ProposalMetadata;
  cell: CellAddress;
  busy: boolean;
  onChoose: (therapist: string) => void;
}) {
  const query = useChoices(metadata, cell);
  if (query.error)
    return (
      <p role="alert" className="small alarm">
        {query.error.message}{' '}
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
  const others = query.data.choices.filter((choice) => !choice.possible);
  return (
    <>
      {able.length === 0 ? <p className="small">No one else who works that day can take this.</p> : null}
      <ul className={css.able} aria-label="Who else could take it">
        {able.map(({ therapist, words }) => (
          <li key={therapist}>
            <button type="button" disabled={busy} onClick={() => onChoose(therapist)}>
              <b>{therapist}</b> <span>{words}</span>
            </button>
          </li>
        ))}
      </ul>
      {others.length === 0 ? null : (
        <details className={css.others}>
          <summary>{others.length === 1 ? '1 cannot' : `${others.length} cannot`}</summary>
          <ul>
            {others.map(({ therapist, words }) => (
              <li key={therapist}>
                {therapist} <span className="muted">{words}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
