import * as z from 'zod/mini';
import { passwordSchema } from './session.ts';

/** The minimum number of characters in a new password. */
export const SHORTEST_PASSWORD = 12;

/** A new password that a user chooses, with its minimum length. */
export const newPasswordSchema = passwordSchema.check(
  z.minLength(SHORTEST_PASSWORD, `a password needs at least ${SHORTEST_PASSWORD} characters`),
);
