import type { IsoDate, Location } from '@clinic/domain';
import css from './day-acts.module.css';
import { ABSENCES_OPEN, type DaySearch } from '../shared/day-search.ts';
import { navigate } from '../shared/router/history.ts';
import { Link } from '../shared/router/link.tsx';
import { absencesDraft, readDraft } from '../shared/session/drafts.ts';
import { runShortcut, useShortcuts } from '../shared/shell/shortcuts.ts';
import { Button, buttonClass, Count } from '../shared/ui/button.tsx';
import { cx } from '../shared/ui/class-names.ts';
import { Icon } from '../shared/ui/icon.tsx';

/**
 * The end of the toolbar of Today and Calls: *Find* opens the palette, *Absences* the calendar's panel of that day.
 * `place`: the day, for links.
 */
export function DayActs({ date, location, place }: { date: IsoDate | null; location: Location; place: DaySearch }) {
  // Read without the panel's own code, which would be a file of its own in the calendar's first load.
  const marked = readDraft<{ type: string; name: string }[]>(absencesDraft(location, date ?? '')) ?? [];
  const people = new Set(marked.map(({ type, name }) => `${type} ${name}`)).size;
  const search = { ...place, ...ABSENCES_OPEN };
  useShortcuts([
    { keys: 'a', label: 'Absences', group: 'Day', run: () => navigate({ to: '/calendar', search }) },
    { keys: '/', label: 'Find anything', group: 'Day', run: () => runShortcut('Ctrl+K') },
  ]);
  return (
    <span className={css.acts}>
      <Button className={css.find} aria-keyshortcuts="Control+K" onClick={() => runShortcut('Ctrl+K')}>
        <Icon name="search" />
        Find
        <kbd aria-hidden="true">Ctrl K</kbd>
      </Button>
      <Link to="/calendar" search={search} className={cx(buttonClass({ size: 'lg' }), css.absences)}>
        Absences
        {people > 0 ? <Count>{people}</Count> : null}
      </Link>
    </span>
  );
}
