import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { seriesEndpoints } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { ReactNode } from 'react';
import { call } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { evidenceWords } from '../../../shared/repeat-words.ts';
import { Button } from '../../../shared/ui/button.tsx';
import css from '../session-dialog.module.css';

/**
 * Of a session in no series that repeats every week already, as after an import: what speaks for it, and a button that
 * makes it a series, so that a change can apply to all that follow. Otherwise shows `children`.
 */
export function RepeatsAlready({
  sessionKey,
  location,
  children,
}: {
  sessionKey: string;
  location: Location;
  children: ReactNode;
}) {
  const queries = useQueryClient();
  const query = useQuery({
    ...queryOf(['recognised', location, sessionKey], seriesEndpoints.recognised, {
      query: { location, session: sessionKey },
    }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const make = useMutation({
    mutationFn: (key: string) => call(seriesEndpoints.accept, { body: { location, keys: [key] } }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['series', sessionKey] }),
        queries.invalidateQueries({ queryKey: ['recognised'] }),
      ]),
  });
  const [repeat] = query.data?.series ?? [];
  if (query.isPending) return null;
  if (!repeat) return children;
  return (
    <div className={css.scope}>
      <p>
        This session repeats every week: {evidenceWords(repeat)}.{' '}
        <Button variant="link" unavailable={make.isPending} onClick={() => make.mutate(repeat.key)}>
          Make it a weekly series
        </Button>
      </p>
      <p className="small muted">Then a change can apply to all that follow, too.</p>
      {make.error ? (
        <p className="small alarm" role="alert">
          {failureWords(make.error, 'the series')}
        </p>
      ) : null}
    </div>
  );
}
