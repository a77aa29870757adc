import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';

/** The supervision of a location's RBTs in the month of a date; loads nothing while the date is null. */
export const useSupervision = (location: Location, date: IsoDate | null) =>
  useQuery({
    queryKey: queryKeys.supervision(location, date ?? ''),
    queryFn: ({ signal }) => call(ledgersEndpoints.supervision, { query: { location, date: date ?? '' }, signal }),
    enabled: date !== null,
  });

/** The authorizations of a location's clients on a date; loads nothing while the date is null. */
export const useAuthorizations = (location: Location, date: IsoDate | null) =>
  useQuery({
    queryKey: queryKeys.authorizations(location, date ?? ''),
    queryFn: ({ signal }) => call(ledgersEndpoints.authorizations, { query: { location, date: date ?? '' }, signal }),
    enabled: date !== null,
  });
