import type { DayAppointment } from '../day/facts/day.ts';

type Needed = Pick<DayAppointment, 'key' | 'clientId' | 'therapistId' | 'start' | 'end'>;

/**
 * A clinic day's appointment as loaded from the database: a booked session at Altamonte, unless `plan` overrides it.
 */
export const dayAppointment = (plan: Needed & Partial<DayAppointment>): DayAppointment => ({
  wireId: plan.key,
  location: 'altamonte',
  bookedTherapistId: null,
  service: plan.clientId === null ? 'admin' : 'direct',
  subject: 'Direct Therapy',
  status: 'booked',
  place: plan.key,
  clientPlace: plan.key,
  seat: 1,
  groupKey: null,
  clash: false,
  parentId: null,
  seriesId: null,
  commitId: null,
  familyToldAt: null,
  version: 1,
  occupies: true,
  ...plan,
});
