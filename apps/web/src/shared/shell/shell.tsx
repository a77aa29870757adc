import { useEffect, type ReactNode } from 'react';
import css from './shell.module.css';
import { useLiveEvents } from '../api/live-events.ts';
import { readDaySearch } from '../day-search.ts';
import { getPlace, navigate, usePath } from '../router/history.ts';
import { Link } from '../router/link.tsx';
import { onlyReads } from '../session/manages-clinic.ts';
import { SessionTimeout } from '../session/session-timeout.tsx';
import { useOwnLocations, useSessionInfo } from '../session/session-info.ts';
import { Logo } from '../ui/icon.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { say, Toasts, undoLast } from '../ui/toast.tsx';
import { useOpening } from '../ui/use-opening.ts';
import { AccountMenu } from './account-menu.tsx';
import { DemoBar } from './demo-bar.tsx';
import { ReaderBar } from './reader-bar.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { isForChanges } from './places.ts';
import { useGlobalCommands } from './use-global-commands.ts';
import { holdTyping, releaseTyping, useShortcutListener, useShortcuts } from './shortcuts.ts';

// The palette loads after the page, since it opens only on a key press or from a menu.
const loadPalette = () => import('./palette.tsx').then((m) => m.Palette);
const Palette = lazyPart(() =>
  loadPalette().catch((error: unknown) => {
    releaseTyping();
    throw error;
  }),
);
const FactorFirst = lazyPart(() => import('./factor-first.tsx').then((m) => m.FactorFirst));
const ForChanges = lazyPart(() => import('./for-changes.tsx').then((m) => m.ForChanges));
const ShortcutList = lazyPart(() => import('./shortcut-list.tsx').then((m) => m.ShortcutList));

/** The frame around every page after the login: the sidebar, and whatever is shown on top of the pages. */
export function Shell({ children }: { children: ReactNode }) {
  const own = useOwnLocations();
  const info = useSessionInfo();
  const isTherapist = info?.account.role === 'therapist';
  // Pages wait until the account's locations are known, since each page starts at one of them. If the account has no
  // locations, pages also wait for its role, since a therapist sees none of these pages.
  const open = own !== undefined && !isTherapist && (own === null || own.length > 0 || info !== undefined);
  // Therapists have only one page, which has its own frame.
  useEffect(() => {
    if (isTherapist) navigate({ to: '/me', replace: true });
  }, [isTherapist]);
  const [over, setOver, close] = useOpening<'palette' | 'keys'>();
  // Loads the palette when Ctrl is pressed, so that no keys are lost right after Ctrl+K.
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Control' || event.key === 'Meta') loadPalette().catch(() => undefined);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  useKeptFocus();
  const openPalette = (): void => {
    holdTyping();
    setOver('palette');
  };
  const closed = isForChanges(usePath()) && onlyReads(info?.account);
  useGlobalCommands();
  useShortcutListener();
  useShortcuts([
    { keys: '?', label: 'Show these shortcuts', group: 'Anywhere', run: () => setOver('keys') },
    {
      keys: 'Ctrl+K',
      label: 'Find anything',
      group: 'Anywhere',
      everywhere: true,
      run: openPalette,
    },
    {
      keys: 'Ctrl+Z',
      writes: true,
      label: 'Undo your last change',
      group: 'Anywhere',
      run: () => undoLast() || say('Nothing to undo.'),
    },
    { keys: 'g c', label: 'Go to Calendar', group: 'Anywhere', run: () => navigate({ to: '/calendar' }) },
    { keys: 'g p', label: 'Go to Profiles', group: 'Anywhere', run: () => navigate({ to: '/profiles' }) },
    {
      keys: 'g l',
      label: 'Calls to make',
      group: 'Anywhere',
      run: () => navigate({ to: '/calls', search: { ...readDaySearch(getPlace().search) } }),
    },
    { keys: 'g t', label: 'Go to Today', group: 'Anywhere', run: () => navigate({ to: '/' }) },
  ]);
  return (
    <div className={css.app}>
      <a className={css.skip} href="#main">
        Skip to content
      </a>
      <Rail onPalette={openPalette} onKeys={() => setOver('keys')} />
      <main className={css.main} id="main" tabIndex={-1}>
        <OfflineNotice />
        {info?.must_set_up ? <FactorFirst /> : closed ? <ForChanges /> : open ? children : null}
        <ReaderBar />
        <DemoBar />
      </main>
      {open && !info?.must_set_up ? <LiveEvents /> : null}
      <Toasts />
      <SessionTimeout />
      {over?.value === 'palette' ? (
        <Palette key={over.key} onClose={() => close(over.key)} onLoadError={() => close(over.key)} />
      ) : null}
      {over?.value === 'keys' ? (
        <ShortcutList key={over.key} onClose={() => close(over.key)} onLoadError={() => close(over.key)} />
      ) : null}
    </div>
  );
}

/** The element that had the focus last, then its ancestors. */
let focused: readonly Element[] = [];

function onFocus(): void {
  const path: Element[] = [];
  for (let each = document.activeElement; each; each = each.parentElement) path.push(each);
  focused = path;
}

/** A click on empty space means that nothing should have the focus. */
function onPress(): void {
  focused = [];
}

/**
 * Keeps the focus in its part of the page. Nothing is focused when a page opens, so the code is loaded when something
 * first gets the focus; what has the focus meanwhile is noted from the start.
 */
function useKeptFocus(): void {
  useEffect(() => {
    const load = (): void =>
      void import('./kept-focus.ts').then(
        (m) => m.keepFocusInPart(() => focused),
        () => undefined,
      );
    addEventListener('pointerdown', onPress, { capture: true });
    addEventListener('focusin', onFocus);
    addEventListener('focusin', load, { once: true });
    return () => {
      removeEventListener('pointerdown', onPress, { capture: true });
      removeEventListener('focusin', onFocus);
      removeEventListener('focusin', load);
    };
  }, []);
}

/** The sidebar: the logo, exactly two links (ROUTE-04), and the account menu. */
function Rail({ onPalette, onKeys }: { onPalette: () => void; onKeys: () => void }) {
  return (
    <aside className={css.rail} aria-label="Sidebar">
      <Link to="/" className={css.logo} aria-label="Today">
        <Logo />
      </Link>
      <nav aria-label="Main">
        <ul>
          <li>
            <Link to="/calendar" title="Calendar" aria-label="Calendar" marksCurrent>
              <CalendarIcon />
            </Link>
          </li>
          <li>
            <Link to="/profiles" title="Profiles" aria-label="Profiles" marksCurrent>
              <PersonIcon />
            </Link>
          </li>
        </ul>
      </nav>
      <AccountMenu className={css.me} onPalette={onPalette} onKeys={onKeys} />
    </aside>
  );
}

function LiveEvents() {
  useLiveEvents();
  return null;
}

function CalendarIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <rect x="2.5" y="3.5" width="15" height="14" rx="2.5" />
      <path d="M2.5 8h15M6.5 1.8v3.4M13.5 1.8v3.4M6 11.5h3M6 14.3h5.5" />
    </svg>
  );
}

function PersonIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="6.6" r="3.6" />
      <path d="M3 17.6c.6-3.7 3.5-5.6 7-5.6s6.4 1.9 7 5.6" />
    </svg>
  );
}
