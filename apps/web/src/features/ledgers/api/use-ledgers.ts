import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { onDay, queryOf } from '../../../shared/api/query-of.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';

/** The care ledger of a location's clients for the four weeks before a date. Loads nothing while the date is null. */
export const useCare = (location: Location, date: IsoDate | null) =>
  useQuery(queryOf(queryKeys.care(location, date), ledgersEndpoints.care, onDay(location, date)));

/**
 * The supervision ledger of a location's RBTs for the month that includes a date. Loads nothing while the date is null.
 */
export const useSupervision = (location: Location, date: IsoDate | null) =>
  useQuery(queryOf(queryKeys.supervision(location, date), ledgersEndpoints.supervision, onDay(location, date)));

/** The authorizations of a location's clients on a date. Loads nothing while the date is null. */
export const useAuthorizations = (location: Location, date: IsoDate | null) =>
  useQuery(queryOf(queryKeys.authorizations(location, date), ledgersEndpoints.authorizations, onDay(location, date)));

const ofPerson = (id: string, date: IsoDate) => ({ params: { id }, query: { date } });
export const behindHours = (id: string, date: IsoDate) =>
  queryOf([...queryKeys.hours(id, date), 'sessions'], ledgersEndpoints.hoursSessions, ofPerson(id, date));
export const behindCare = (id: string, date: IsoDate) =>
  queryOf([...queryKeys.care(id, date), 'sessions'], ledgersEndpoints.careSessions, ofPerson(id, date));
export const behindSupervision = (id: string, date: IsoDate) =>
  queryOf([...queryKeys.supervision(id, date), 'sessions'], ledgersEndpoints.supervisedSessions, ofPerson(id, date));
export const behindAuthorizations = (id: string, date: IsoDate) =>
  queryOf([...queryKeys.authorizations(id, date), 'sessions'], ledgersEndpoints.authorizedSessions, ofPerson(id, date));
