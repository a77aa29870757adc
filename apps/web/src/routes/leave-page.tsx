import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { leaveEndpoints } from '@clinic/contract';
import { call } from '../shared/api/client.ts';
import { navigate } from '../shared/router/history.ts';
import { LoadFailure } from '../shared/ui/load-failure.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { EmptyState, Skeleton, Skeletons } from '../shared/ui/states.tsx';

/** An absence over several dates by its address: goes on to who takes the therapist’s sessions. */
export function LeavePage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['leave', id],
    queryFn: ({ signal }) => call(leaveEndpoints.readLeave, { params: { id }, signal }),
  });
  const leave = query.data;
  useEffect(() => {
    if (leave?.type !== 'therapist') return;
    const { location, person, first_date, last_date, weekdays, begin: start, end } = leave;
    const days = weekdays.length < 7 ? weekdays.join(',') : '';
    const search = {
      location,
      therapist: person,
      from: first_date,
      ...(last_date === null ? { open: '1' } : { until: last_date }),
      weekdays: days,
      start,
      end,
    };
    navigate({ to: '/standing', search, replace: true });
  }, [leave]);
  return (
    <Page title="Who takes the sessions?" toolbar={<h1>Who takes the sessions?</h1>}>
      <Sheet>
        <LoadFailure what="the absence" query={query} />
        {leave?.type === 'client' ? (
          <EmptyState title="Nothing to replace">
            This is an absence of a client, whose sessions nobody takes.
          </EmptyState>
        ) : query.error ? null : (
          <Skeletons>
            <Skeleton style={{ height: '4rem', width: '100%' }} />
          </Skeletons>
        )}
      </Sheet>
    </Page>
  );
}
