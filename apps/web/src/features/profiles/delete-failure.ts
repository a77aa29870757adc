import { TEXTS } from '@clinic/contract';
import { ApiError, NoReplyError } from '../../shared/api/client.ts';
import { failureText, isLoginFailure, LOGIN_HINT } from './api/use-profiles.ts';

/** Why a therapist was not deleted (PROF-11), and what became of them; `text` is null when only the server knows. */
export interface DeleteFailure {
  readonly title: string;
  readonly text: string | null;
  /** Whether logging in again helps. */
  readonly login: boolean;
}

export function deleteFailure(error: unknown, name: string): DeleteFailure {
  const login = isLoginFailure(error);
  return { title: `${TEXTS.deleteFailed} ${failureText(error)}`, text: outcome(error, name, login), login };
}

function outcome(error: unknown, name: string, login: boolean): string | null {
  if (error instanceof NoReplyError && error.maySave)
    return `${name} may have been deleted. Check the list before trying again.`;
  if (login) return `${LOGIN_HINT} ${name} was not deleted.`;
  return isFault(error) ? null : `${name} was not deleted. Nothing was changed.`;
}

/** Whether the server failed instead of refusing. */
const isFault = (error: unknown): boolean => error instanceof ApiError && error.status >= 500;
