import * as z from 'zod/mini';

/** The highest limits that can be set, in hours, for a week and for a day. The lowest limit is 1 hour. */
export const MOST_HOURS = { week: 80, day: 24 } as const;

/** Hours in quarters: `37.5`. */
export const hoursSchema = (most: number) => z.number().check(z.gte(1), z.lte(most), z.multipleOf(0.25));

/** The limits that the clinic sets itself. Plans must respect them, and the ledgers measure against them. */
export const rulesSchema = z.object({
  /** For this many days, a new therapist covers only for clients who know them. */
  new_here_days: z.int().check(z.gte(0), z.lte(365)),
  /** The maximum hours in a therapist's week, unless their profile sets another limit. */
  week_hours: hoursSchema(MOST_HOURS.week),
  /** The supervision that an RBT needs in a month: a percentage of the direct hours, and a number of contacts. */
  supervision_percent: z.int().check(z.gte(0), z.lte(100)),
  supervision_contacts: z.int().check(z.gte(0), z.lte(31)),
});
export type Rules = z.infer<typeof rulesSchema>;

export const DEFAULT_RULES: Rules = {
  new_here_days: 14,
  week_hours: 40,
  supervision_percent: 5,
  supervision_contacts: 2,
};
