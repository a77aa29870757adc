import { useEffect } from 'react';
import { Outlet, useRouter } from '@tanstack/react-router';
import { Shell } from '../shared/shell/shell.tsx';
import { onSession } from '../shared/session/session-store.ts';

/** A login that begins or ends, here or in another tab, is seen by the guards at once. */
export function RootLayout() {
  const router = useRouter();
  useEffect(() => onSession(() => void router.invalidate()), [router]);
  return <Outlet />;
}

/** Pages behind the login share one frame, which stays while they change. */
export function ShellLayout() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}
