import * as z from 'zod/mini';

/** The figures of a plan: counts of sessions, and minutes of care. The domain computes them (figures.ts). */
export const coverFiguresShape = {
  sessions: z.number(),
  changes: z.number(),
  minutes_needed: z.number(),
  minutes_kept: z.number(),
  minutes_uncovered: z.number(),
};
