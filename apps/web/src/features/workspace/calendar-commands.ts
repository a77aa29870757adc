import type { SlotsReply } from '@clinic/contract';
import { longDate, parseTime, timeSlot, type IsoDate, type Location } from '@clinic/domain';
import { isFor, type AbsenceAction, type AbsenceEntry } from '../cover/absences/model.ts';
import type { View } from '../calendar/bars.ts';
import { useLocations } from '../../shared/session/session-info.ts';
import { fit, useCommands, type Command } from '../../shared/shell/commands.ts';
import { LAST_MINUTE } from '../../shared/time-field.ts';
import { say } from '../../shared/ui/toast.tsx';
import { timeWords } from '../../shared/time-words.ts';
import { presentPeople } from './calendar-bridge.ts';

export interface Going {
  view?: View;
  date?: IsoDate;
  location?: Location;
  find?: string;
  span?: 'week';
}

/**
 * What the command palette finds on the calendar: dates, locations, and people. A person can be marked as absent (for
 * the typed time, if there is one) or as back at work.
 */
export function CalendarCommands({
  slots,
  location,
  today,
  entries,
  act,
  onGo,
}: {
  slots: SlotsReply | undefined;
  location: Location;
  today: IsoDate | null;
  /** The people selected as absent. */
  entries: readonly AbsenceEntry[];
  act: (action: AbsenceAction) => void;
  onGo: (to: Going) => void;
}): null {
  const locations = useLocations();
  useCommands((typed, read) => {
    const commands: Command[] = [];
    const stored = slots?.absences ?? [];
    const timed = read.window(typed);
    if (timed) {
      const { startTime, endTime } = timed.window;
      const said =
        endTime === LAST_MINUTE
          ? `from ${timeWords(startTime)}`
          : timeSlot(parseTime(startTime) ?? 0, parseTime(endTime) ?? 0);
      for (const { name, type } of presentPeople(slots))
        if (fit(name, timed.rest) < Infinity)
          commands.push({
            id: `absent-at:${type}:${name}`,
            kind: 'Person',
            label: `Mark ${name} absent ${said}`,
            // The palette looks for every typed word in the entry, so the entry must contain the typed time too.
            hint: typed,
            writes: true,
            run: () => {
              act({ do: 'set', entry: { name, type, ...timed.window }, stored });
              say(`${name} marked absent ${said}`);
            },
          });
    }
    if (typed.trim() !== '')
      for (const person of presentPeople(slots)) {
        const { name, type } = person;
        const isSelected = entries.some((entry) => isFor(entry, person));
        commands.push(
          ...read.person({
            name,
            type,
            hint: person.credential ?? (type === 'client' ? 'Client' : 'Therapist'),
            show: () => onGo({ view: type, find: name }),
            mark: {
              label: isSelected ? `Remove ${name} from the selected absences` : `Mark ${name} absent`,
              run: () => {
                act({ do: 'toggle', person: { name, type }, stored });
                say(isSelected ? `${name} removed from the selected absences` : `${name} marked absent`);
              },
            },
          }),
        );
      }
    const date = today ? read.date(typed, today) : null;
    if (date) commands.push({ id: `date:${date}`, kind: 'Date', label: longDate(date), run: () => onGo({ date }) });
    for (const each of locations)
      if (each.value !== location)
        commands.push({
          id: `location:${each.value}`,
          kind: 'Location',
          label: each.label,
          hint: each.group,
          run: () => onGo({ location: each.value }),
        });
    return commands;
  });
  return null;
}
