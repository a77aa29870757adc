import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';
import { watchActivity } from './activity.ts';
import { signOut } from './sign-out.ts';
import { useSessionInfo } from './session-info.ts';
import { decide, factsNow, renewToken } from './session-keeper.ts';

const LOOK_EVERY = 5000;

/** Renews the token while someone works, and warns before the session ends. Draws nothing until then. */
export function SessionGuard() {
  const info = useSessionInfo();
  const [ends, setEnds] = useState<{ at: number; canStay: boolean } | null>(null);
  const busy = useRef(false);
  useEffect(watchActivity, []);
  useEffect(() => {
    const look = (): void => {
      const facts = factsNow(info);
      if (!facts) return;
      const decision = decide(facts);
      // The seconds run on, so the state is set anew with each look while the warning stands.
      setEnds(decision.warn ? { at: decision.ends, canStay: decision.canStay } : null);
      if (!decision.renew || busy.current) return;
      busy.current = true;
      void renewToken(decision.renew === 'background').finally(() => {
        busy.current = false;
      });
    };
    look();
    const timer = setInterval(look, LOOK_EVERY);
    return () => clearInterval(timer);
  }, [info]);

  if (!ends) return null;
  const minutes = Math.max(1, Math.round((ends.at - Date.now()) / 60_000));
  return (
    <AlertDialog
      title={`You will be logged out in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`}
      onClose={() => setEnds(null)}
      actions={(close) => (
        <>
          <Button size="lg" onClick={() => void signOut()}>
            Log out
          </Button>
          {ends.canStay ? (
            <Button
              size="lg"
              variant="primary"
              autoFocus
              onClick={() => {
                void renewToken(false);
                close();
              }}
            >
              Stay logged in
            </Button>
          ) : (
            <Button size="lg" variant="primary" autoFocus onClick={close}>
              OK
            </Button>
          )}
        </>
      )}
    >
      <p className="muted">
        {ends.canStay
          ? 'Nothing you selected is lost if you stay.'
          : 'The longest time one may stay logged in is over. What you selected is kept here until you have logged in again.'}
      </p>
    </AlertDialog>
  );
}
