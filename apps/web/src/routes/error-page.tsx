import { Button } from '../shared/ui/button.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { EmptyState } from '../shared/ui/states.tsx';

/** A page that broke: a new version's files are the usual cause, and a reload the cure. */
export function ErrorPage() {
  return (
    <Page title="Error" toolbar={<h1>Something went wrong</h1>}>
      <Sheet whole>
        <EmptyState
          title="This page could not be shown"
          action={
            <Button variant="primary" onClick={() => location.reload()}>
              Load the page again
            </Button>
          }
        >
          Nothing on the calendar was changed. If the server was just updated, loading again is enough.
        </EmptyState>
      </Sheet>
    </Page>
  );
}
