// This file is over 250 lines because the list of holidays and the form that fills it are read together.
import { useRef, useState } from 'react';
import type { Closure, Holiday } from '@clinic/contract';
import { addDays, isoDate, locationLabel, parseDate, type IsoDate, type Location } from '@clinic/domain';
import css from './closures.module.css';
import { failureWords } from '../../shared/api/failure-words.ts';
import { useLocations } from '../../shared/session/session-info.ts';
import { Button } from '../../shared/ui/button.tsx';
import { DateField } from '../../shared/ui/date-field.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Input, Options, Select } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { warn } from '../../shared/use-act.ts';
import { useOpening } from '../../shared/ui/use-opening.ts';
import { addHolidays, readHolidays, reopenLocation } from './api.ts';
import { count, whenWords } from './words.ts';

/** One day of the list: a holiday of one or more locations. */
interface Day {
  readonly key: string;
  readonly first: Closure;
  readonly all: readonly Closure[];
}

/** The holidays of the locations, those on the same day with the same name together. */
function daysOf(closures: readonly Closure[]): Day[] {
  const days = new Map<string, Closure[]>();
  for (const each of closures.filter(({ holiday }) => holiday)) {
    const key = JSON.stringify([each.from_date, each.from_time, each.to_time, each.name]);
    days.set(key, [...(days.get(key) ?? []), each]);
  }
  return [...days].flatMap(([key, all]) => (all[0] ? [{ key, first: all[0], all }] : []));
}

/** The holidays of the year ahead: what is still booked on them, and ways to add, remove and copy them. */
export function Holidays({
  closures,
  onClose,
}: {
  closures: readonly Closure[];
  onClose: (day: Closure, everywhere: boolean) => void;
}) {
  const own = useLocations();
  const days = daysOf(closures);
  const [adding, setAdding, close] = useOpening<Holiday[]>();
  const remove = ({ all, first }: Day): void => {
    Promise.all(all.map(({ id, location }) => reopenLocation({ id, location, from: undefined }))).then(
      () => toast({ text: `${first.name} is no longer a holiday.` }),
      warn('the holidays'),
    );
  };
  const nextYear = (): Holiday[] =>
    days.flatMap(({ first, all }): Holiday[] => {
      const date = parseDate(`${Number(first.from_date.slice(0, 4)) + 1}${first.from_date.slice(4)}`);
      const times = { from_time: first.from_time, to_time: first.to_time, name: first.name };
      if (!date) return [];
      return all.length === own.length
        ? [{ location: null, date, ...times }]
        : all.map(({ location }) => ({ location, date, ...times }));
    });
  return (
    <>
      {days.length === 0 ? (
        <p className="muted">No holidays are listed. Series and bookings do not know them yet.</p>
      ) : null}
      <ul className={css.holidays}>
        {days.map((day) => (
          <HolidayRow key={day.key} day={day} of={own.length} onClose={onClose} onRemove={() => remove(day)} />
        ))}
      </ul>
      {days.length > 0 ? <p className="small muted">Weekly series skip these dates by themselves.</p> : null}
      <div className={css.acts}>
        <Button size="sm" onClick={() => setAdding([])}>
          Add
        </Button>
        {days.length > 0 ? (
          <Button size="sm" onClick={() => setAdding(nextYear())}>
            Copy to next year
          </Button>
        ) : null}
        <ReadFile onRead={setAdding} />
      </div>
      {adding ? <AddHolidays key={adding.key} found={adding.value} onClose={() => close(adding.key)} /> : null}
    </>
  );
}

function HolidayRow({
  day,
  of,
  onClose,
  onRemove,
}: {
  day: Day;
  /** How many locations the account has. */
  of: number;
  onClose: (day: Closure, everywhere: boolean) => void;
  onRemove: () => void;
}) {
  const booked = day.all.reduce((sum, each) => sum + each.booked, 0);
  return (
    <li>
      <span>
        <b>{whenWords(day.first)}</b> {day.first.name}
        {day.all.length < of ? (
          <span className="small muted"> {day.all.map(({ location }) => locationLabel(location)).join(', ')}</span>
        ) : null}
      </span>
      {booked > 0 ? (
        <Button variant="link" onClick={() => onClose(day.first, day.all.length > 1)}>
          {count(booked, 'session', 'sessions')} booked<span className="sr">: close on {day.first.name}</span>
        </Button>
      ) : (
        <span className="small muted">nothing booked</span>
      )}
      <Button variant="link" onClick={onRemove}>
        Remove<span className="sr"> {day.first.name}</span>
      </Button>
    </li>
  );
}

/** Reads holidays from an .ics file, and names what is left out. */
function ReadFile({ onRead }: { onRead: (holidays: Holiday[]) => void }) {
  const file = useRef<HTMLInputElement>(null);
  const read = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    try {
      const { holidays, left_out: leftOut } = await readHolidays(await chosen.text());
      if (leftOut.length > 0)
        toast({
          tone: 'warn',
          text: `Left out: ${leftOut.slice(0, 3).join('; ')}${leftOut.length > 3 ? ` and ${leftOut.length - 3} more` : ''}.`,
          stays: 20_000,
        });
      if (holidays.length === 0) toast({ tone: 'warn', text: 'This file has no holidays in the next two years.' });
      else onRead(holidays);
    } catch (error) {
      warn('the holidays')(error);
    }
  };
  return (
    <>
      <Button size="sm" onClick={() => file.current?.click()}>
        Read an .ics file
      </Button>
      <input
        ref={file}
        type="file"
        accept=".ics,text/calendar"
        hidden
        aria-label="Holidays as an .ics file"
        onChange={({ target }) => {
          void read(target.files?.[0]);
          target.value = '';
        }}
      />
    </>
  );
}

/** A holiday as it is typed. */
type DayDraft = Omit<Holiday, 'date'> & { date: string };
const EMPTY = { location: null, from_time: '00:00', to_time: '24:00', name: '' } as const;

/** A list of days that one edits before it is saved. */
function AddHolidays({ found, onClose }: { found: readonly Holiday[]; onClose: () => void }) {
  const [list, setList] = useState<DayDraft[]>(() => (found.length > 0 ? [...found] : [{ ...EMPTY, date: '' }]));
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const set = (at: number, part: Partial<DayDraft>): void =>
    setList(list.map((each, i) => (i === at ? { ...each, ...part } : each)));
  const save = (close: () => void): void => {
    setTried(true);
    const ready = list.flatMap(({ date, ...each }): Holiday[] => {
      const day = parseDate(date);
      return day && each.name.trim() !== '' ? [{ ...each, date: day }] : [];
    });
    if (ready.length < list.length || ready.length === 0) return;
    addHolidays(ready).then(
      ({ added }) => {
        toast({
          text:
            added === 0
              ? 'These holidays were on the list already.'
              : `${count(ready.length, 'holiday is', 'holidays are')} on the list.`,
        });
        close();
      },
      (error: unknown) => setProblem(failureWords(error, 'the holidays')),
    );
  };
  return (
    <Dialog
      title="Holidays"
      width="44rem"
      onClose={onClose}
      footer={(close) => (
        <>
          <Button onClick={() => setList([...list, { ...EMPTY, date: nextDay(list.at(-1)?.date) }])}>Add a day</Button>
          <span className="grow" />
          <Button variant="primary" size="lg" onClick={() => save(close)}>
            Save {count(list.length, 'holiday', 'holidays')}
          </Button>
        </>
      )}
    >
      <div className={css.dialog}>
        {problem ? <Notice tone="error" title={problem} /> : null}
        <p className="muted">
          These days are closed for new bookings. Sessions that are booked on them stay until you close the location.
        </p>
        <ul className={css.rows}>
          {list.map((each, at) => (
            <DayFields
              key={at}
              day={each}
              tried={tried}
              onChange={(part) => set(at, part)}
              onRemove={() => setList(list.filter((_, i) => i !== at))}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function DayFields({
  day: each,
  tried,
  onChange,
  onRemove,
}: {
  day: DayDraft;
  /** Whether one has tried to save. */
  tried: boolean;
  onChange: (part: Partial<DayDraft>) => void;
  onRemove: () => void;
}) {
  const own = useLocations();
  return (
    <li>
      <DateField
        label="Day"
        value={each.date}
        error={tried && !parseDate(each.date) ? 'Enter a date' : null}
        onDate={(date) => onChange({ date })}
      />
      <Input
        label="Name"
        value={each.name}
        maxLength={80}
        error={tried && each.name.trim() === '' ? 'Enter a name' : null}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <Input
        label="From"
        type="time"
        value={each.from_time === '00:00' ? '' : each.from_time}
        onChange={({ target }) => onChange({ from_time: target.value || '00:00' })}
      />
      <Select
        label="Location"
        value={each.location ?? ''}
        onChange={({ target }) => onChange({ location: placeOf(own, target.value) })}
      >
        <option value="">All</option>
        <Options of={own.map(({ value, label }) => [value, label])} />
      </Select>
      <Button variant="link" onClick={onRemove}>
        Remove<span className="sr"> {each.name}</span>
      </Button>
    </li>
  );
}

const placeOf = (own: readonly { readonly value: Location }[], value: string): Location | null =>
  own.find((each) => each.value === value)?.value ?? null;

const nextDay = (date: string | undefined): IsoDate | '' => {
  const day = parseDate(date ?? '');
  return day ? addDays(isoDate(day), 1) : '';
};
