import { render } from 'preact';

import css from './modal.css?inline';
import { Modal } from './modal.tsx';
import { weekOf, type Session } from './model.ts';

/** What a host page passes. `startDate`: any date of the week wanted, `YYYY-MM-DD`. */
export interface OpenOptions {
  clientName: string;
  location: string;
  startDate: string;
  /** The bearer token; left out: `access_token` of this origin's local storage. */
  getToken?: () => string | null | Promise<string | null>;
  /** Called once, on Confirm: the chosen sessions' starts as wall time `YYYY-MM-DDTHH:MM:SS`, and each with its end. */
  onConfirm: (slots: string[], sessions: { start: string; end: string }[]) => void;
}

// The API is where this script came from; a module import has no current script, so there it is the page's own origin.
const script = document.currentScript;
const base = script instanceof HTMLScriptElement && script.src !== '' ? new URL(script.src).origin : location.origin;

let host: HTMLElement | null = null;

/** Takes a modal's host away. A dialog reports its closing a moment later: by then another may be open, which must stay. */
function unmount(gone: HTMLElement | null): void {
  if (!gone) return;
  if (host === gone) host = null;
  if (gone.shadowRoot) render(null, gone.shadowRoot);
  gone.remove();
}

/** How much the page magnifies what is inside its body, by CSS `zoom`; 1 where the browser does not tell. */
const pageZoom = (): number => (document.body as { currentCSSZoom?: number }).currentCSSZoom ?? 1;

/** Opens the modal; one that is open is closed first. Throws TypeError when a needed option is missing. */
function open(options: OpenOptions): void {
  const monday = weekOf(String(options?.startDate ?? ''));
  if (!options?.clientName || !options.location || typeof options.onConfirm !== 'function' || monday === null) {
    throw new TypeError('TimeslotCancel.open needs clientName, location, startDate (YYYY-MM-DD) and onConfirm');
  }
  unmount(host);
  const own = document.createElement('timeslot-cancel');
  host = own;
  // Inline, so that no rule of the page's, !important included, hides or moves the host element.
  for (const [name, value] of [
    ['all', 'initial'],
    ['display', 'contents'],
    // These two are not part of `all`, and the page's zoom reaches into what lies over it.
    ['direction', 'ltr'],
    ['unicode-bidi', 'isolate'],
    ['zoom', String(1 / pageZoom())],
  ] as const)
    own.style.setProperty(name, value, 'important');
  const root = own.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  document.body.append(own);
  const theme = document.documentElement.dataset['theme'];
  if (theme === 'light' || theme === 'dark') own.style.setProperty('color-scheme', theme, 'important');
  render(
    <Modal
      base={base}
      clientName={options.clientName}
      location={options.location}
      monday={monday}
      getToken={options.getToken ?? (() => localStorage.getItem('access_token'))}
      onConfirm={(sessions: Session[]) =>
        options.onConfirm(
          [...new Set(sessions.map((s) => s.start))],
          sessions.map(({ start, end }) => ({ start, end })),
        )
      }
      onClose={() => unmount(own)}
    />,
    root,
  );
}

function close(): void {
  host?.shadowRoot?.querySelector('dialog')?.close();
}

declare global {
  interface Window {
    TimeslotCancel: { open: typeof open; close: typeof close };
  }
}
window.TimeslotCancel = Object.freeze({ open, close });
