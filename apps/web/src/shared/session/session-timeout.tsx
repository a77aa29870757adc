import { useEffect, useRef, useState } from 'react';
import { duration } from '@clinic/domain';
import { wrongMinutes } from '../server-clock.ts';
import { AlertDialog } from '../ui/dialog.tsx';
import { watchActivity } from './activity.ts';
import { signOut } from './sign-out.ts';
import { useSessionInfo } from './session-info.ts';
import { decide, factsNow, renewToken } from './session-keeper.ts';

const LOOK_EVERY = 5000;

/** The texts of the warning, for pages that are not in English. */
export interface TimeoutWords {
  title: (minutes: number) => string;
  kept: string;
  ends: (hours: number) => string;
  stay: string;
  logOut: string;
  close?: string;
}

const ENGLISH: TimeoutWords = {
  title: (minutes) => `You will be logged out in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
  kept: 'If you stay, your selection is kept.',
  ends: (hours) =>
    `For security, every login ends after ${duration(hours * 60)}. What you selected will still be there when you log in again.`,
  stay: 'Stay logged in',
  logOut: 'Log out',
};

/** Renews the token while the user is active, and warns before the session ends. Shows nothing until the warning. */
export function SessionTimeout({ words = ENGLISH }: { words?: TimeoutWords }) {
  const info = useSessionInfo();
  const [ends, setEnds] = useState<{ minutes: number; canStay: boolean } | null>(null);
  const busy = useRef(false);
  // Whether the user has read the warning that the session cannot be extended. That warning is shown only once.
  const read = useRef(false);
  useEffect(() => {
    const look = (): void => {
      const facts = factsNow(info);
      if (!facts) return;
      const decision = decide(facts);
      const minutes = Math.max(1, Math.round((decision.ends - facts.now) / 60_000));
      setEnds(decision.warn && !(read.current && !decision.canStay) ? { minutes, canStay: decision.canStay } : null);
      if (!decision.renew || busy.current) return;
      busy.current = true;
      void renewToken(decision.renew === 'background').finally(() => {
        busy.current = false;
      });
    };
    look();
    const timer = setInterval(look, LOOK_EVERY);
    const stopWatching = watchActivity(look);
    return () => {
      clearInterval(timer);
      stopWatching();
    };
  }, [info]);

  useEffect(() => {
    if (info && wrongMinutes() !== 0)
      import('./clock-hint.ts').then(
        (m) => m.hintAtClock(),
        () => undefined,
      );
  }, [info]);

  if (!ends) return null;
  return (
    <AlertDialog
      title={words.title(ends.minutes)}
      onClose={() => {
        read.current = true;
        setEnds(null);
      }}
      acts={[{ text: words.logOut, run: () => void signOut() }]}
      {...(ends.canStay
        ? { keep: words.stay, onKeep: () => void renewToken(false) }
        : words.close !== undefined && { keep: words.close })}
    >
      <p className="muted">{ends.canStay ? words.kept : words.ends(info?.session_hours ?? 0)}</p>
    </AlertDialog>
  );
}
