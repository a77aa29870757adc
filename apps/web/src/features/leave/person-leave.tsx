import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import {
  leaveEndpoints,
  type AbsenceLossBody,
  type LeaveFrom,
  type StoredAbsence,
  type StoredLeave,
} from '@clinic/contract';
import { isoDate, parseDate, parseTime, type IsoDate, type Location } from '@clinic/domain';
import css from './leave.module.css';
import { call } from '../../shared/api/client.ts';
import { failureWords, saidWords } from '../../shared/api/failure-words.ts';
import { reload } from '../../shared/api/query-client.ts';
import { AbsenceLossFields } from '../../shared/causes/absence-loss-fields.tsx';
import { useToday } from '../../shared/clinic-clock.ts';
import { navigate } from '../../shared/router/history.ts';
import { DateField } from '../../shared/ui/date-field.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { useOpening } from '../../shared/ui/use-opening.ts';
import { endLeave } from './api.ts';
import { LeaveDates } from './leave-dates.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { TakersLink } from './leave-tag.tsx';
import { rangeWords } from './words.ts';
import { Times } from './times.tsx';

/** A person whose absences are shown. */
export interface Whose {
  readonly type: StoredAbsence['type'];
  readonly name: string;
  readonly location: Location;
}

const absenceOf = ({ id, name, type, begin, end, first_date, last_date, weekdays }: StoredLeave): StoredAbsence => ({
  id,
  name,
  type,
  startTime: begin,
  endTime: end,
  leave: { id, first_date, last_date, weekdays },
});

/** A person's absences over several dates, on their profile: each can be changed or ended, and a new one recorded. */
export function PersonLeave({ type, name, location }: Whose) {
  const today = useToday(location);
  const query = useQuery({
    queryKey: ['slots', 'leave', location, today],
    queryFn: ({ signal }) => call(leaveEndpoints.listLeave, { query: { location, date: today ?? '' }, signal }),
    enabled: today !== null,
  });
  const [open, setOpen, close] = useOpening<StoredLeave>();
  const [adding, setAdding, stop] = useOpening<true>();
  const own = (query.data ?? []).filter((each) => each.type === type && each.name === name);
  if (!today) return null;
  return (
    <section aria-label="Absences ahead">
      <h3>Absences ahead</h3>
      {query.error ? <p className="alarm">{saidWords(query.error)}</p> : null}
      {query.data && own.length === 0 ? <p className="muted">None over several dates.</p> : null}
      <ul className={css.sessions}>
        {own.map((each) => (
          <li key={each.id} className={css.tag}>
            <span>
              {rangeWords(each)}
              {each.loss?.label == null ? '' : `, ${each.loss.label.toLowerCase()}`}
            </span>
            <Button data-writes variant="link" onClick={() => setOpen(each)}>
              Change or end<span className="sr"> {rangeWords(each)}</span>
            </Button>
            <TakersLink id={each.id} type={type} of={rangeWords(each)} />
          </li>
        ))}
      </ul>
      <div className={css.acts}>
        <Button data-writes size="sm" onClick={() => setAdding(true)}>
          Add absence
        </Button>
      </div>
      {open?.value ? (
        <LeaveDialog
          key={open.key}
          absence={absenceOf(open.value)}
          leave={open.value}
          location={location}
          date={isoDate(open.value.first_date > today ? open.value.first_date : today)}
          onClose={() => close(open.key)}
        />
      ) : null}
      {adding ? (
        <AddLeave
          key={adding.key}
          type={type}
          name={name}
          location={location}
          today={today}
          onClose={() => stop(adding.key)}
        />
      ) : null}
    </section>
  );
}

/** Takes a leave back that was just recorded. */
function takeBack(id: string, location: Location, date: IsoDate): void {
  endLeave(id, { location, scope: 'all', date }).then(
    () => reload({ queryKey: ['slots'] }),
    (error: unknown) => toast({ tone: 'warn', text: failureWords(error, 'who is away') }),
  );
}

function AddLeave({ type, name, location, today, onClose }: Whose & { today: IsoDate; onClose: () => void }) {
  const [first, setFirst] = useState<string>(today);
  const [range, setRange] = useState<LeaveFrom>();
  const [times, setTimes] = useState({ begin: '00:00', end: '23:59' });
  const [loss, setLoss] = useState<AbsenceLossBody>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const date = parseDate(first);
  const [from, to] = [parseTime(times.begin), parseTime(times.end)];
  const wrong = !date || from === null || to === null || from >= to;
  const save = (close: () => void): void => {
    if (!date || busy) return;
    setBusy(true);
    const terms = range
      ? { first_date: date, last_date: range.until, weekdays: range.weekdays }
      : { first_date: date, last_date: date, weekdays: [0, 1, 2, 3, 4, 5, 6] };
    call(leaveEndpoints.recordLeave, { body: { location, type, name, ...terms, ...times, ...(loss && { loss }) } })
      .then(
        ({ id }) => {
          reload({ queryKey: ['slots'] });
          toast({
            text: `${name}’s absence is recorded.`,
            action: { label: 'Undo', run: () => takeBack(id ?? '', location, date) },
            ...(type === 'therapist' && range && id !== undefined && id !== null
              ? { next: { label: 'Who takes the sessions?', run: () => navigate({ to: `/leave/${id}` }) } }
              : {}),
          });
          close();
        },
        (error: unknown) => setProblem(failureWords(error, 'who is away')),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Dialog
      title={`${name}: absence`}
      width="32rem"
      onClose={onClose}
      footer={(close) => (
        <>
          <span className="grow" />
          <Button variant="primary" size="lg" unavailable={busy || wrong} onClick={() => save(close)}>
            Save absence
          </Button>
        </>
      )}
    >
      <div className={css.parts}>
        {problem ? <Notice tone="error" title={problem} /> : null}
        <section>
          <DateField label="First day" value={first} error={date ? null : 'Enter a date'} onDate={setFirst} />
          <Times times={times} onChange={setTimes} />
          {date ? (
            <LeaveDates
              location={location}
              date={date}
              person={{ type, name }}
              times={wrong ? null : times}
              value={range}
              onChange={setRange}
              onFirst={setFirst}
            />
          ) : null}
          <AbsenceLossFields
            value={loss}
            side={type === 'therapist' ? 'therapist' : 'family'}
            name={name}
            onChange={setLoss}
          />
        </section>
      </div>
    </Dialog>
  );
}
