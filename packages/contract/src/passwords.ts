import * as z from 'zod/mini';
import { passwordSchema } from './session.ts';

/** The fewest characters of a new password. */
export const SHORTEST_PASSWORD = 12;

/** A password to be set. */
export const newPasswordSchema = passwordSchema.check(
  z.minLength(SHORTEST_PASSWORD, `a password needs at least ${SHORTEST_PASSWORD} characters`),
);
