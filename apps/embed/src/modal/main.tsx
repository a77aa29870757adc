import { render } from 'preact';

import css from './modal.css?inline';
import type { GetToken } from './load.ts';
import { Modal } from './modal.tsx';
import { weekOf, type Session } from './model.ts';

/**
 * The options that a page passes to open the modal. `startDate` is any date in the first week to show, `YYYY-MM-DD`.
 */
export interface OpenOptions {
  clientName: string;
  location: string;
  startDate: string;
  /** Returns the login token; by default `access_token` in this site's local storage. */
  getToken?: GetToken;
  /**
   * Called once, on Confirm, after the modal has closed. `slots` has each session's start as `YYYY-MM-DDTHH:MM:SS`,
   * `sessions` its start and end.
   */
  onConfirm: (slots: string[], sessions: { start: string; end: string }[]) => void;
}

// The API is on the server that this script came from. When this file is loaded as a module, there is no current
// script, so the page's own server is used.
const script = document.currentScript;
const base = script instanceof HTMLScriptElement && script.src !== '' ? new URL(script.src).origin : location.origin;

let host: HTMLElement | null = null;

/**
 * Removes only this modal from the page. The browser reports late that a dialog has closed, and another modal may be
 * open by then.
 */
function unmount(gone: HTMLElement | null): void {
  if (!gone) return;
  if (host === gone) host = null;
  if (gone.shadowRoot) render(null, gone.shadowRoot);
  gone.remove();
}

/** How much the page magnifies itself with CSS `zoom`; 1 if the browser does not report it. */
const pageZoom = ({ currentCSSZoom }: { currentCSSZoom?: number }): number => currentCSSZoom ?? 1;

/** Opens the modal, after closing any modal that is still open. Throws TypeError when a required option is missing. */
function open(options: OpenOptions): void {
  const monday = weekOf(String(options?.startDate ?? ''));
  if (!options?.clientName || !options.location || typeof options.onConfirm !== 'function' || monday === null) {
    throw new TypeError('TimeslotCancel.open needs clientName, location, startDate (YYYY-MM-DD) and onConfirm');
  }
  unmount(host);
  // The modal is beside the page's body, which may be hidden or not there yet.
  const page = document.documentElement;
  const { theme } = page.dataset;
  const own = document.createElement('timeslot-cancel');
  host = own;
  // These styles are set on the element itself, so that no rule in the page's styles, even with !important, can hide or
  // move the modal.
  for (const [name, value] of [
    ['all', 'initial'],
    ['display', 'contents'],
    // `all` does not cover `direction` and `unicode-bidi`. The page's zoom is undone, since it applies to dialogs too.
    ['direction', 'ltr'],
    ['unicode-bidi', 'isolate'],
    ['zoom', String(1 / pageZoom(page))],
    // `all` has switched off the system's theme, too.
    ['color-scheme', theme === 'light' || theme === 'dark' ? theme : 'light dark'],
  ] as const)
    own.style.setProperty(name, value, 'important');
  const root = own.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  page.append(own);
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
