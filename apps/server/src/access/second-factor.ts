import { randomBytes } from 'node:crypto';
import type { Role } from '@clinic/contract';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import { takeCodeAttempt, type Refused } from './login-budget.ts';
import type { Seal } from './seal.ts';
import { hashOf } from './secret.ts';
import { selectFactor, takeRecoveryCode, takeStep } from './second-factor.queries.ts';
import { base32, stepOf } from './totp.ts';

/** Whether people with a role must have a second factor beside their password. */
export function needsFactor(role: Role, setting: Config['secondFactor']): boolean {
  if (setting === 'admins') return role === 'admin';
  return setting === 'all' || (setting === 'staff' && role !== 'therapist');
}

/** What the seal of an account's secret is bound to. */
export const sealedFor = (accountId: string): string => `second-factor:${accountId}`;

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** Makes recovery codes, of 80 random bits each: `ABCD-EFGH-IJKL-MNOP`. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'));

/** The hash of a recovery code, however it is typed. It is as random as a key, so no slow hash is needed. */
export const recoveryHash = (code: string): Buffer => hashOf(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''));

/** What a login's code shows. `none`: the account has no second factor. */
export type FactorResult = 'none' | 'needed' | 'passed' | 'wrong' | Refused;

interface FactorCheck {
  readonly accountId: string;
  /** The code that was typed: of the app, or a recovery code. */
  readonly code: string | undefined;
  readonly now: number;
  /** The factor of all budgets (RATE_LIMIT). */
  readonly rateLimit: number;
}

/** Checks and uses up the code of a login whose password is right, in the transaction that begins the session. */
export async function checkFactor(
  trx: Db,
  seal: Seal,
  { accountId, code, now, rateLimit }: FactorCheck,
): Promise<FactorResult> {
  const factor = await selectFactor(trx, accountId);
  if (!factor || factor.confirmed_at === null) return 'none';
  if (code === undefined || code.trim() === '') return 'needed';
  if (code.replaceAll(/[\s-]/g, '').length > 6)
    return (await takeRecoveryCode(trx, accountId, recoveryHash(code))) ? 'passed' : 'wrong';
  const attempt = await takeCodeAttempt(trx, accountId, now, rateLimit);
  if (!attempt.allowed) return attempt;
  // After the key that signs tokens was replaced, the secret cannot be read: only a recovery code works.
  const secret = seal.open(factor.secret, sealedFor(accountId));
  const step = secret && stepOf(secret, code, now);
  if (step === null || !(await takeStep(trx, accountId, step))) return 'wrong';
  await attempt.giveBack();
  return 'passed';
}
