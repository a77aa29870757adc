import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { seriesEndpoints } from '@clinic/contract';
import { isLocation, isoDate, shortDate, type Location } from '@clinic/domain';
import { call } from '../../shared/api/client.ts';
import { failureWords } from '../../shared/api/failure-words.ts';
import { queryOf } from '../../shared/api/query-of.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { navigate, useSearch } from '../../shared/router/history.ts';
import { usePickedLocation } from '../../shared/session/session-info.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/field.tsx';
import { DataTable } from '../../shared/ui/data-table.tsx';
import { Loading } from '../../shared/ui/loading.tsx';
import { LocationSelect } from '../../shared/ui/location-select.tsx';
import { Page, Sheet } from '../../shared/ui/page.tsx';
import { EmptyState, Notice } from '../../shared/ui/states.tsx';
import { ScrollRegion } from '../../shared/ui/scroll-region.tsx';
import table from '../../shared/ui/table.module.css';
import { toast } from '../../shared/ui/toast.tsx';
import { evidenceWords, whenWords } from '../../shared/repeat-words.ts';

const KEY = 'recognised';

/** Sessions that repeat every week but are in no series yet, with what speaks for it; all are made series in one step. */
export function SeriesPage() {
  const search = useSearch();
  const location = usePickedLocation(isLocation(search['location']) ? search['location'] : undefined);
  return <Series key={location} location={location} />;
}

function Series({ location }: { location: Location }) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const query = useQuery(queryOf([KEY, location], seriesEndpoints.recognised, { query: { location } }));
  const accept = useMutation({
    mutationFn: (keys: string[]) => call(seriesEndpoints.accept, { body: { location, keys } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [KEY] }),
  });
  const rows = query.data?.series ?? [];
  const keys = rows.map(({ key }) => key).filter((key) => !left.has(key));
  const toggle = (key: string): void => {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    setLeft(next);
  };
  const make = (): void => {
    if (keys.length === 0 || accept.isPending) return;
    accept.mutate(keys, {
      onSuccess: ({ series, changed }) => {
        const stale = changed > 0 ? ` ${changed} changed in the meantime: look at them again.` : '';
        toast({ text: `${countWords(series)} made. No session has changed.${stale}` });
      },
    });
  };
  return (
    <Page
      title="Weekly series"
      toolbar={
        <>
          <h1>Weekly series</h1>
          <LocationSelect value={location} onChange={(next) => navigate({ search: { location: next } })} />
          <span className="grow" />
          <Button variant="primary" size="lg" unavailable={keys.length === 0 || accept.isPending} onClick={make}>
            {accept.isPending ? 'Saving...' : keys.length === 0 ? 'Make Series' : `Make ${countWords(keys.length)}`}
          </Button>
        </>
      }
    >
      <Sheet fills="parts">
        {accept.error ? <Notice tone="error" title={failureWords(accept.error, 'the list')} /> : null}
        <Loading what="what repeats" query={query} height="18rem">
          {() =>
            rows.length === 0 ? (
              <EmptyState title="Nothing to make">
                Every session that repeats is in a weekly series. New ones appear here after an import.
              </EmptyState>
            ) : (
              <ScrollRegion label="Sessions that repeat every week" className={table.scroll}>
                <DataTable
                  caption="Sessions that repeat every week"
                  rows={rows}
                  keyOf={({ key }) => key}
                  columns={[
                    {
                      head: 'Make it a series',
                      unseen: true,
                      cell: (row) => (
                        <Checkbox
                          aria-label={`${row.client}, ${whenWords(row)}`}
                          checked={!left.has(row.key)}
                          onChange={() => toggle(row.key)}
                        />
                      ),
                    },
                    { head: 'Child', names: true, cell: ({ client }) => client },
                    { head: 'When', cell: whenWords },
                    { head: 'With', cell: ({ therapist }) => therapist },
                    { head: 'What speaks for it', cell: evidenceWords },
                    { head: 'Until', cell: ({ last }) => shortDate(isoDate(last)) },
                  ]}
                />
              </ScrollRegion>
            )
          }
        </Loading>
      </Sheet>
    </Page>
  );
}

const countWords = (n: number): string => `${n} series`;
