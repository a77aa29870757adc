import * as z from 'zod/mini';

/** The figures of a plan, as the domain counts them (figures.ts): sessions, and minutes of care. */
export const coverFiguresShape = {
  sessions: z.number(),
  changes: z.number(),
  minutes_needed: z.number(),
  minutes_kept: z.number(),
  minutes_uncovered: z.number(),
};
