import { useState } from 'react';
import { failureWords } from './api/failure-words.ts';
import { toast } from './ui/toast.tsx';

/** Says in a message why a change failed. `look` and `done`: see `failureWords`. */
export const warn =
  (look: string, done?: string) =>
  (error: unknown): void =>
    void toast({ tone: 'warn', text: failureWords(error, look, done) });

/** Runs one act at a time. If it fails, a message says why, unless the caller says it: `failed`. */
export function useAct(look: string) {
  const [busy, setBusy] = useState(false);
  const act = <T>(work: () => Promise<T>, done: (reply: T) => void, failed = warn(look)): void => {
    if (busy) return;
    setBusy(true);
    work()
      .then(done, failed)
      .finally(() => setBusy(false));
  };
  return { busy, act };
}
