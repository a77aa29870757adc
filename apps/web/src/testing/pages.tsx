import '@fontsource-variable/instrument-sans/wdth.css';
import '../styles/tokens.css';
import '../styles/base.css';
import { authEndpoints, calendarEndpoints, type SessionReply } from '@clinic/contract';
import { onTestFinished } from 'vitest';
import { render } from 'vitest-browser-react';
import { App, startRouting } from '../app.tsx';
import { queryClient } from '../shared/api/query-client.ts';
import { updatePlace } from '../shared/router/history.ts';
import { learnServerNow } from '../shared/server-clock.ts';
import { endSession, keepToken } from '../shared/session/session-store.ts';
import { dismissToasts } from '../shared/ui/toast.tsx';
import { watch, type Replies } from './components.tsx';

/** The moment at which pages open: 7:05 AM at the clinics on a Wednesday. */
const NOW = '2026-11-18T12:05:00Z';

const SESSION: SessionReply = {
  account: { id: 'someone', email: 'staff@clinic.example', name: 'Dana Reyes', role: 'scheduler', locations: null },
  demo: false,
  signed_on: false,
  must_set_up: false,
  idle_minutes: 30,
  session_hours: 12,
  session_ends: '2026-11-19T00:05:00Z',
  admin_client_name: 'Admin',
  now: NOW,
};

const TESTS = location.href;
startRouting();

/** Replies that every page needs: the session, and a stream of events that stays silent. */
const frame = (session: Partial<SessionReply>): Replies => [
  [authEndpoints.session, { ...SESSION, ...session }],
  [
    calendarEndpoints.events,
    () => new Response(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } }),
  ],
];

/** Opens a page of the product at its address, in its frame, for an account; `replies` stand in for the server. */
export async function openPage(
  href: string,
  { replies, session = {} }: { replies: Replies; session?: Partial<SessionReply> },
) {
  const sent = watch(...replies, ...frame(session));
  const now = Date.parse(NOW) / 1000;
  learnServerNow(now * 1000);
  keepToken(`head.${btoa(JSON.stringify({ sub: 'someone', iat: now, exp: now + 3600 }))}.signature`, 3600);
  history.replaceState(null, '', href);
  updatePlace();
  onTestFinished(() => {
    endSession('signed-out');
    queryClient.clear();
    dismissToasts();
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, '', TESTS);
    learnServerNow(Date.now());
  });
  return { screen: await render(<App />), ...sent };
}
