import { OwnDayPage } from '../features/own-day/own-day-page.tsx';

/** The page on which therapists see their own days. */
export function MePage() {
  return <OwnDayPage />;
}
