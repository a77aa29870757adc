import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Page, Sheet } from '../ui/page.tsx';
import { Notice } from '../ui/states.tsx';

const OwnAccountDialog = lazyPart(() => import('../session/own-account-dialog.tsx').then((m) => m.OwnAccountDialog));
const TITLE = 'Second factor';

/** Instead of every page, for someone whose role needs a second factor and who has none yet. */
export function FactorFirst() {
  const [open, setOpen] = useState(false);
  return (
    <Page title={TITLE} toolbar={<h1>{TITLE}</h1>}>
      <Sheet fills="page">
        <Notice
          tone="warn"
          title="Your role needs a second factor."
          actions={
            <Button variant="primary" onClick={() => setOpen(true)}>
              Set Up an App
            </Button>
          }
        >
          Set up an authenticator app, or add a passkey and log in with it. Then the pages open.
        </Notice>
      </Sheet>
      {open ? <OwnAccountDialog onClose={() => setOpen(false)} onLoadError={() => setOpen(false)} /> : null}
    </Page>
  );
}
