import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { appointmentsEndpoints, type SwapBody } from '@clinic/contract';
import { call } from '../../../shared/api/client.ts';
import { saidWords } from '../../../shared/api/failure-words.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { cannotUndo } from '../../../shared/edits/undo-booking.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import css from '../session-dialog.module.css';
import type { SessionSource } from '../model.ts';

const swap = (key: string, body: SwapBody) => call(appointmentsEndpoints.swap, { params: { key }, body });

/** Exchanges a session’s therapist with that of another session of the day, in one step. */
export function SwapChoice({ source, onDone }: { source: SessionSource; onDone: () => void }) {
  const [open, setOpen] = useState(false);
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ['slots'] });
  const query = useQuery({
    ...queryOf(['swaps', source.key], appointmentsEndpoints.swaps, open ? { params: { key: source.key } } : null),
    staleTime: 0,
    gcTime: 0,
  });
  const doing = useMutation({
    mutationFn: (body: SwapBody) => swap(source.key, body),
    onSuccess: ([own, other], { with: key }) => {
      const undo = { with: key, version: own?.version ?? 0, with_version: other?.version ?? 0, anyway: true };
      toast({
        text: `${own?.Preferred_Provider_Name ?? ''} and ${other?.Preferred_Provider_Name ?? ''} have exchanged sessions. They and both families are on the call list.`,
        action: { label: 'Undo', run: () => void swap(source.key, undo).then(reload, cannotUndo) },
      });
      onDone();
    },
    onSettled: reload,
  });
  if (!open)
    return (
      <div data-writes className={css.whole}>
        <Button variant="link" onClick={() => setOpen(true)}>
          Swap {source.therapist} with …
        </Button>
      </div>
    );
  const swaps = (query.data?.swaps ?? []).toSorted((a, b) => Number(a.why !== null) - Number(b.why !== null));
  return (
    <section className={css.whole} aria-label={`Swap ${source.therapist} with`}>
      <h3>Swap {source.therapist} with …</h3>
      <LoadFailure what="the sessions of the day" query={query} />
      {doing.error ? <Notice tone="error" title={saidWords(doing.error)} /> : null}
      {query.data && swaps.length === 0 ? <p className="muted">No other session of the day has a therapist.</p> : null}
      <ul className={css.swaps}>
        {swaps.map(({ key, version, client, therapist, time, why }) => (
          <li key={key}>
            <span>
              <b>{therapist}</b>, with {client} {time}
              {why === null ? null : <span className="small muted"> {why}</span>}
            </span>
            {why === null ? (
              <Button
                size="sm"
                unavailable={doing.isPending}
                onClick={() => doing.mutate({ with: key, version: query.data?.version ?? 0, with_version: version })}
              >
                Swap<span className="sr"> with {therapist}</span>
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
