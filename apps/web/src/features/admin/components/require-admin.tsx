import type { ReactNode } from 'react';
import { useSessionInfo } from '../../../shared/session/session-info.ts';
import { Page, Sheet } from '../../../shared/ui/page.tsx';
import { Notice } from '../../../shared/ui/states.tsx';

/** Shows a page only to administrators. For anyone else it sends no requests, since the server would refuse them. */
export function RequireAdmin({ title, children }: { title: string; children: ReactNode }) {
  const info = useSessionInfo();
  if (info?.account.role === 'admin') return children;
  return (
    <Page title={title} toolbar={<h1>{title}</h1>}>
      <Sheet fills="page">
        {info ? (
          <Notice tone="error" title="Only administrators can open this page.">
            Ask an administrator if you need it.
          </Notice>
        ) : null}
      </Sheet>
    </Page>
  );
}
