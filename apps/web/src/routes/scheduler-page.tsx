import { LegacyScheduler } from '../features/timeslots/legacy-scheduler.tsx';
import { Page } from '../shared/ui/page.tsx';

/** LEG-01: a header titled Scheduler and a content area that hosts the legacy page. */
export function SchedulerPage() {
  return (
    <Page title="Scheduler" toolbar={<h1>Scheduler</h1>}>
      <LegacyScheduler />
    </Page>
  );
}
