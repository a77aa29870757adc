import { addDays, type IsoDate } from '@clinic/domain';
import type { DemoPeople } from './people.ts';

/**
 * The credentials of RBTs and BCBAs. Most are valid for at least 200 more days; a few have recently expired or soon
 * will. Every twelfth therapist has none on record.
 */
export function demoCredentials({ therapists }: DemoPeople, today: IsoDate) {
  return therapists.flatMap((therapist, i) => {
    if (therapist.specialization === 'BT' || i % 12 === 7) return [];
    const until = i % 40 === 13 ? addDays(today, -9) : i % 40 === 21 ? addDays(today, 12) : addDays(today, 200 + i);
    return [
      {
        therapist_id: therapist.id,
        credential: therapist.specialization,
        number: `${therapist.specialization}-${String(26_100 + i * 37)}`,
        from_date: addDays(until, -730),
        until_date: until,
      },
    ];
  });
}

/**
 * The employment dates of two Tampa therapists without clients of their own: one has just started, the other will
 * leave.
 */
export function demoEmployment(
  { therapists }: DemoPeople,
  today: IsoDate,
): Map<string, { first?: IsoDate; last?: IsoDate }> {
  const [starts, leaves] = therapists.filter(({ location, floats }) => location === 'tampa' && floats);
  return new Map([
    ...(starts ? [[starts.id, { first: addDays(today, -5) }] as const] : []),
    ...(leaves ? [[leaves.id, { last: addDays(today, 10) }] as const] : []),
  ]);
}
