import { useQuery } from '@tanstack/react-query';
import type { IsoDate, Location } from '@clinic/domain';
import { slotsQuery } from '../../../shared/api/slots-query.ts';

/** A location's day (CAL-09). Loads nothing while `date` is null. Reloads after events about that day. */
export function useSlots(location: Location, date: IsoDate | null) {
  return useQuery({ ...slotsQuery(location, date ?? ''), enabled: date !== null });
}
