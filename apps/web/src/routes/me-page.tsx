import { OwnDayPage } from '../features/cover/own-day/own-day-page.tsx';

/** The page where therapists see their own days. */
export function MePage() {
  return <OwnDayPage />;
}
