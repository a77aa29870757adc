import type { ReactNode } from 'react';
import { useSessionInfo } from '../../../shared/session/session-info.ts';
import { Page, Sheet } from '../../../shared/ui/page.tsx';
import { Notice } from '../../../shared/ui/states.tsx';

/** A page whose calls the server refuses to anyone but an administrator: it is not asked for others. */
export function RequireAdmin({ title, children }: { title: string; children: ReactNode }) {
  const info = useSessionInfo();
  if (info?.account.role === 'admin') return children;
  return (
    <Page title={title} toolbar={<h1>{title}</h1>}>
      <Sheet whole>
        {info ? (
          <Notice tone="error" title="Your account may not do this. Ask an administrator.">
            Administrators see this page.
          </Notice>
        ) : null}
      </Sheet>
    </Page>
  );
}
