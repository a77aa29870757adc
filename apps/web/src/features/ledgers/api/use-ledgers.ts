import { useQuery, type QueryFunctionContext } from '@tanstack/react-query';
import { ledgersEndpoints } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { dayQuery } from '../../../shared/api/day-query.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';

/** The care ledger of a location's clients for the four weeks before a date. Loads nothing while the date is null. */
export const useCare = (location: Location, date: IsoDate | null) => useQuery(care(location, date));
const care = dayQuery(queryKeys.care, (request) => call(ledgersEndpoints.care, request));

/**
 * The supervision ledger of a location's RBTs for the month that includes a date. Loads nothing while the date is null.
 */
export const useSupervision = (location: Location, date: IsoDate | null) => useQuery(supervision(location, date));
const supervision = dayQuery(queryKeys.supervision, (request) => call(ledgersEndpoints.supervision, request));

/** The authorizations of a location's clients on a date. Loads nothing while the date is null. */
export const useAuthorizations = (location: Location, date: IsoDate | null) => useQuery(authorizations(location, date));
const authorizations = dayQuery(queryKeys.authorizations, (request) => call(ledgersEndpoints.authorizations, request));

/** How to load the sessions behind a person's figures. */
export interface BehindFigure<Session> {
  readonly queryKey: readonly string[];
  readonly queryFn: (context: QueryFunctionContext<readonly string[]>) => Promise<Session[]>;
}

type Ledger = 'hours' | 'care' | 'supervision' | 'authorizations';
const sessionsBehind =
  <Session>(
    ledger: Ledger,
    load: (input: { params: { id: string }; query: { date: string }; signal: AbortSignal }) => Promise<Session[]>,
  ) =>
  (id: string, date: IsoDate): BehindFigure<Session> => ({
    queryKey: [...queryKeys[ledger](id, date), 'sessions'],
    queryFn: ({ signal }) => load({ params: { id }, query: { date }, signal }),
  });

export const behindHours = sessionsBehind('hours', (input) => call(ledgersEndpoints.hoursSessions, input));
export const behindCare = sessionsBehind('care', (input) => call(ledgersEndpoints.careSessions, input));
export const behindSupervision = sessionsBehind('supervision', (input) =>
  call(ledgersEndpoints.supervisedSessions, input),
);
export const behindAuthorizations = sessionsBehind('authorizations', (input) =>
  call(ledgersEndpoints.authorizedSessions, input),
);
