import { useEffect, useRef, useState } from 'react';
import { AlertDialog } from '../ui/dialog.tsx';
import { watchActivity } from './activity.ts';
import { signOut } from './sign-out.ts';
import { useSessionInfo } from './session-info.ts';
import { decide, factsNow, renewToken } from './session-keeper.ts';

const LOOK_EVERY = 5000;

/** Renews the token while someone works, and warns before the session ends. Draws nothing until then. */
export function SessionTimeout() {
  const info = useSessionInfo();
  const [ends, setEnds] = useState<{ minutes: number; canStay: boolean } | null>(null);
  const busy = useRef(false);
  // A warning that nothing can be done about is said once.
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

  if (!ends) return null;
  return (
    <AlertDialog
      title={`You will be logged out in ${ends.minutes === 1 ? '1 minute' : `${ends.minutes} minutes`}.`}
      onClose={() => {
        read.current = true;
        setEnds(null);
      }}
      acts={[{ text: 'Log out', run: () => void signOut() }]}
      {...(ends.canStay && { keep: 'Stay logged in', onKeep: () => void renewToken(false) })}
    >
      <p className="muted">
        {ends.canStay
          ? 'Nothing you selected is lost if you stay.'
          : 'The longest time one may stay logged in is over. What you selected is kept here until you have logged in again.'}
      </p>
    </AlertDialog>
  );
}
