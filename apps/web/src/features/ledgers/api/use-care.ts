import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';

/** The care of a location's clients in the four weeks before a date; loads nothing while the date is null. */
export const useCare = (location: Location, date: IsoDate | null) =>
  useQuery({
    queryKey: queryKeys.care(location, date ?? ''),
    queryFn: ({ signal }) => call(ledgersEndpoints.care, { query: { location, date: date ?? '' }, signal }),
    enabled: date !== null,
  });
