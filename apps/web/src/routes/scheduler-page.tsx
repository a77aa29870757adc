import { LegacyScheduler } from '../features/timeslots/legacy-scheduler.tsx';
import { Page } from '../shared/ui/page.tsx';

/** The Scheduler page (LEG-01): a header, and the legacy page below it. */
export function SchedulerPage() {
  return (
    <Page title="Scheduler" toolbar={<h1>Scheduler</h1>}>
      <LegacyScheduler />
    </Page>
  );
}
