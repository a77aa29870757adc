import { OwnDayPage } from '../features/own-day/own-day-page.tsx';

/** A therapist's own days. */
export function MePage() {
  return <OwnDayPage />;
}
