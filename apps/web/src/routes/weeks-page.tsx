import { MeetingPage } from '../features/book/meeting-page.tsx';
import { FindATimePage } from '../features/find-a-time/find-a-time-page.tsx';
import { MakeupPage } from '../features/makeup/makeup-page.tsx';
import { SeriesPage } from '../features/series/series-page.tsx';
import { ClosuresPage } from './closures-page.tsx';
import { LeavePage } from './leave-page.tsx';
import { NAMED } from '../shared/person-path.ts';
import { NamedPerson, PersonPage } from './person-page.tsx';
import { StandingPage } from './standing-page.tsx';

/** The pages about weeks and people, loaded together, so that the first load names one file for them. */
export function WeeksPage({ path }: { path: string }) {
  if (path === '/closures') return <ClosuresPage />;
  if (path === '/standing') return <StandingPage />;
  if (path.startsWith('/leave/')) return <LeavePage id={path.slice('/leave/'.length)} />;
  const [, people, kind, id] = path.split('/');
  if (people === 'people' && id !== undefined)
    return id === NAMED ? (
      <NamedPerson key={path} kind={kind === 'clients' ? 'clients' : 'therapists'} />
    ) : (
      <PersonPage key={path} kind={kind === 'clients' ? 'clients' : 'therapists'} id={id} />
    );
  if (path === '/meeting') return <MeetingPage />;
  if (path === '/series') return <SeriesPage />;
  return path === '/make-up' ? <MakeupPage /> : <FindATimePage />;
}
