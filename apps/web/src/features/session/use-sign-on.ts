import { useEffect, useState } from 'react';
import { SIGN_ON_FAILURES, signOnEndpoints, type SignOnFailure } from '@clinic/contract';
import { ApiError, call } from '../../shared/api/client.ts';
import { saidWords } from '../../shared/api/failure-words.ts';
import { enter } from './enter.ts';

/**
 * Reads what the sign-on left after the `#` of the login page's address, and takes it out of the address and of the
 * browser's history: a code for the token, or the reason of a failure. Browsers never send that part of an address.
 */
function takeFromAddress(): URLSearchParams {
  const found = new URLSearchParams(window.location.hash.slice(1));
  if (found.has('code') || found.has('failed'))
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  return found;
}

const isFailure = (word: string): word is SignOnFailure => Object.hasOwn(SIGN_ON_FAILURES, word);

function failureIn(found: URLSearchParams): string | null {
  const word = found.get('failed');
  if (word === null) return null;
  return SIGN_ON_FAILURES[isFailure(word) ? word : 'not-accepted'];
}

/** Finishes a login with the clinic's account, if the person has just come back from there. */
export function useSignOn(): { readonly busy: boolean; readonly failure: string | null } {
  const [found] = useState(takeFromAddress);
  const code = found.get('code');
  const [failure, setFailure] = useState(() => failureIn(found));
  const [busy, setBusy] = useState(code !== null);
  useEffect(() => {
    if (code === null) return;
    fetchOnce(code).catch((error: unknown) => {
      setBusy(false);
      const isUsed = error instanceof ApiError && error.status === 404;
      const isDisabled = error instanceof ApiError && error.status === 403;
      setFailure(
        isUsed
          ? SIGN_ON_FAILURES['too-late']
          : isDisabled
            ? SIGN_ON_FAILURES.disabled
            : `${saidWords(error)} You are not logged in. Try again.`,
      );
    });
  }, [code]);
  return { busy, failure };
}

/** The code that is being exchanged: it works once, and React runs effects twice while it is developed. */
let under: { readonly code: string; readonly work: Promise<void> } | null = null;

function fetchOnce(code: string): Promise<void> {
  if (under?.code !== code) under = { code, work: call(signOnEndpoints.signOnToken, { body: { code } }).then(enter) };
  return under.work;
}
