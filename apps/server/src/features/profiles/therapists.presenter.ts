import { formatTime } from '@clinic/domain';
import type { Therapist } from '@clinic/contract';
import type { StoredTherapist, StoredWindow } from './therapists.queries.ts';

/** A therapist in the wire's shape (DATA-03). */
export function presentTherapist(row: StoredTherapist, windows: readonly StoredWindow[]): Therapist {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    display_name: row.display_name,
    location: row.location,
    specialization: row.specialization,
    gender: row.gender,
    start_date: row.start_date,
    consistency: row.consistency,
    availability: windows.map((window) => ({
      id: window.id,
      day_of_week: window.day_of_week,
      start_time: formatTime(window.start_minute),
      end_time: formatTime(window.end_minute),
    })),
    version: row.version,
  };
}
