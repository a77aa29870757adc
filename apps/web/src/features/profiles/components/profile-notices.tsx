import type { ReactNode } from 'react';
import { TEXTS } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { LOGIN_HINT, failureText, isLoginFailure } from '../api/use-profiles.ts';
import { LogIn } from './log-in.tsx';
import css from './profile-form.module.css';

/** Shown below the profile's title: a line about the profile, and why the profile could not be loaded or saved. */
export function ProfileNotices({
  standing,
  loadError,
  onReload,
  saveFailure,
}: {
  standing: ReactNode;
  loadError: Error | null;
  onReload: () => void;
  saveFailure: { text: string; login: boolean } | null;
}) {
  return (
    <>
      {standing ? <p className={css.sub}>{standing}</p> : null}
      {loadError ? (
        <Notice
          tone="error"
          title={`${TEXTS.detailsFailed} ${failureText(loadError)}`}
          actions={isLoginFailure(loadError) ? <LogIn /> : <Button onClick={onReload}>Try again</Button>}
        >
          {isLoginFailure(loadError) ? `${LOGIN_HINT} ` : ''}Could not load the latest; this may be out of date.
        </Notice>
      ) : null}
      {saveFailure ? (
        <Notice
          tone="error"
          title={`${TEXTS.saveFailed} ${saveFailure.text}`}
          actions={saveFailure.login ? <LogIn /> : undefined}
        >
          {saveFailure.login
            ? `${LOGIN_HINT} Your changes are still here, and will be after you log in.`
            : 'Your changes are still here.'}
        </Notice>
      ) : null}
    </>
  );
}
