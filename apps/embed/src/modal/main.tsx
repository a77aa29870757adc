import { render } from 'preact';

import css from './modal.css?inline';
import { Modal } from './modal.tsx';
import { weekOf, type Session } from './model.ts';

/** What a host page passes. `startDate`: any date in the week to show, `YYYY-MM-DD`. */
export interface OpenOptions {
  clientName: string;
  location: string;
  startDate: string;
  /** The bearer token; by default `access_token` in this origin's local storage. */
  getToken?: () => string | null | Promise<string | null>;
  /**
   * Called once, on Confirm: the start of each chosen session as wall time `YYYY-MM-DDTHH:MM:SS`, and each with its
   * end.
   */
  onConfirm: (slots: string[], sessions: { start: string; end: string }[]) => void;
}

// The API is on the origin this script came from. A module import has no current script and uses the page's own origin.
const script = document.currentScript;
const base = script instanceof HTMLScriptElement && script.src !== '' ? new URL(script.src).origin : location.origin;

let host: HTMLElement | null = null;

/**
 * Removes a modal's host element. A dialog reports its closing slightly late, when another may be open already; that
 * one must stay.
 */
function unmount(gone: HTMLElement | null): void {
  if (!gone) return;
  if (host === gone) host = null;
  if (gone.shadowRoot) render(null, gone.shadowRoot);
  gone.remove();
}

/** How much the page magnifies its body with CSS `zoom`; 1 if the browser does not report it. */
const pageZoom = (): number => (document.body as { currentCSSZoom?: number }).currentCSSZoom ?? 1;

/** Opens the modal, closing any open one first. Throws TypeError when a required option is missing. */
function open(options: OpenOptions): void {
  const monday = weekOf(String(options?.startDate ?? ''));
  if (!options?.clientName || !options.location || typeof options.onConfirm !== 'function' || monday === null) {
    throw new TypeError('TimeslotCancel.open needs clientName, location, startDate (YYYY-MM-DD) and onConfirm');
  }
  unmount(host);
  const own = document.createElement('timeslot-cancel');
  host = own;
  // Inline, so that no CSS rule of the page, even with !important, hides or moves the host element.
  for (const [name, value] of [
    ['all', 'initial'],
    ['display', 'contents'],
    // `all` does not include these two, and the page's zoom also affects what lies above the page.
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
