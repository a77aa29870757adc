import { useEffect, useState } from 'react';
import { useOnline } from '../shared/shell/offline-notice.tsx';
import { Button } from '../shared/ui/button.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { EmptyState } from '../shared/ui/states.tsx';

/**
 * Shown when a page breaks. Usually a new version has replaced the page's files, and reloading helps. Reloading without
 * a connection would lose what is still on screen, so the page waits for the connection and then reloads by itself.
 * That there is none, the frame says.
 */
export function ErrorPage({ title }: { title: string }) {
  const online = useOnline();
  const [offlineFirst] = useState(!online);
  useEffect(() => {
    if (offlineFirst && online) location.reload();
  }, [offlineFirst, online]);
  if (!online)
    return (
      <Page title={title} toolbar={<h1>{title}</h1>}>
        <Sheet fills="page">
          <EmptyState title="This page has not loaded yet">
            It will load when the connection is back. Nothing on the calendar changed.
          </EmptyState>
        </Sheet>
      </Page>
    );
  return (
    <Page title="Error" toolbar={<h1>Something went wrong</h1>}>
      <Sheet fills="page">
        <EmptyState
          title="This page could not be shown"
          action={
            <Button variant="primary" onClick={() => location.reload()}>
              Reload the page
            </Button>
          }
        >
          Nothing on the calendar changed. If the server was just updated, reloading the page is enough.
        </EmptyState>
      </Sheet>
    </Page>
  );
}
