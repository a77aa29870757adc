import { AsyncLocalStorage } from 'node:async_hooks';

/** Rejects if the account may no longer do what its request does. */
export type StillMay = () => Promise<void>;

/**
 * The check of the current request, which `inTransaction` makes before it commits. An import's transactions, and those
 * that do not go through `inTransaction`, are committed without it; so is the work of commands.
 */
const checks = new AsyncLocalStorage<StillMay>();

export const withRights = <T>(stillMay: StillMay, work: () => T): T => checks.run(stillMay, work);

export const checkRights = async (): Promise<void> => checks.getStore()?.();
