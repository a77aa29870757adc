import { buttonClass } from '../shared/ui/button.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { Link } from '../shared/router/link.tsx';
import { EmptyState } from '../shared/ui/states.tsx';

export function NotFoundPage() {
  return (
    <Page title="Not found" toolbar={<h1>Page not found</h1>}>
      <Sheet fills="page">
        <EmptyState
          title="This page does not exist"
          action={
            <Link to="/calendar" className={buttonClass({ variant: 'primary' })}>
              Back to the calendar
            </Link>
          }
        >
          The address may be misspelled, or the page has moved.
        </EmptyState>
      </Sheet>
    </Page>
  );
}
