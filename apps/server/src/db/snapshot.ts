/**
 * Waits for several reads. If a read fails, the promise rejects only when all reads have ended, because a transaction
 * must not end before all of its reads have run.
 */
export async function together<T extends readonly unknown[]>(
  ...reads: { readonly [K in keyof T]: T[K] | Promise<T[K]> }
): Promise<T> {
  await Promise.allSettled(reads);
  return Promise.all(reads);
}
