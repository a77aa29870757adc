import { Link } from '../router/link.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Page, Sheet } from '../ui/page.tsx';
import { Notice } from '../ui/states.tsx';

const TITLE = 'Only for schedulers';

/** Instead of a page that is only for changes, for directors and viewers. */
export const ForChanges = () => (
  <Page title={TITLE} toolbar={<h1>{TITLE}</h1>}>
    <Sheet fills="page">
      <Notice
        tone="warn"
        title="This page is only for changes."
        actions={
          <Link to="/calendar" className={buttonClass({})}>
            Calendar
          </Link>
        }
      >
        Your account looks at everything and changes nothing. Ask a scheduler to make the change.
      </Notice>
    </Sheet>
  </Page>
);
