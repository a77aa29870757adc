import type { ReactNode } from 'react';
import { managesClinic } from '../session/manages-clinic.ts';
import { useSessionInfo } from '../session/session-info.ts';
import { Page, Sheet } from './page.tsx';
import { Notice } from './states.tsx';

/**
 * Shows a page only to administrators, and with `everywhere`, only to those with access to all locations. For anyone
 * else it sends no requests, since the server would refuse them.
 */
export function RequireAdmin({
  title,
  everywhere = false,
  reads = false,
  children,
}: {
  title: string;
  everywhere?: boolean;
  /** Set for a page that only shows something, which directors may open too. */
  reads?: boolean;
  children: ReactNode;
}) {
  const info = useSessionInfo();
  if (reads && info?.account.role === 'director') return children;
  if (everywhere ? managesClinic(info?.account) : info?.account.role === 'admin') return children;
  const who = everywhere ? 'administrators with access to all locations' : 'administrators';
  return (
    <Page title={title} toolbar={<h1>{title}</h1>}>
      <Sheet fills="page">
        {info ? (
          <Notice tone="error" title={`Only ${who} can open this page.`}>
            Ask an administrator if you need it.
          </Notice>
        ) : null}
      </Sheet>
    </Page>
  );
}
