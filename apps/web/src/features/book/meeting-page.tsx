// This file is over 250 lines because it holds the whole page: the form, who comes, and what is said before anything is booked.
import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MOST_SERIES_DAYS, seriesEndpoints, type SeriesPreview } from '@clinic/contract';
import {
  byName,
  dayOfWeek,
  isLocation,
  isoDate,
  parseTime,
  shortDate,
  weekdayName,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { call } from '../../shared/api/client.ts';
import { failureWords } from '../../shared/api/failure-words.ts';
import { therapistsQuery } from '../../shared/api/people-queries.ts';
import { useToday } from '../../shared/clinic-clock.ts';
import { undoBooking } from '../../shared/edits/undo-booking.ts';
import { navigate, useSearch } from '../../shared/router/history.ts';
import { usePickedLocation, useSessionInfo } from '../../shared/session/session-info.ts';
import { Button } from '../../shared/ui/button.tsx';
import { DataTable } from '../../shared/ui/data-table.tsx';
import { DateField } from '../../shared/ui/date-field.tsx';
import { Checkbox, Input } from '../../shared/ui/field.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { LocationSelect } from '../../shared/ui/location-select.tsx';
import { Page, PageActs, Sheet } from '../../shared/ui/page.tsx';
import { ScrollRegion } from '../../shared/ui/scroll-region.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import table from '../../shared/ui/table.module.css';
import { toast } from '../../shared/ui/toast.tsx';
import { usePreview } from './api/use-appointments.ts';
import css from './meeting.module.css';
import { meetingBody, outcomesOf, reasonsOf, type MeetingForm } from './meeting.ts';

const HOW_OFTEN = [
  { value: 'weekly', label: 'Every week' },
  { value: 'once', label: 'Once' },
] as const;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0];

/** Administrative time for many people at once, such as a weekly staff meeting. */
export function MeetingPage() {
  const search = useSearch();
  const location = usePickedLocation(isLocation(search['location']) ? search['location'] : undefined);
  const today = useToday(location);
  return today ? <Meeting key={location} location={location} today={today} /> : null;
}

function Meeting({ location, today }: { location: Location; today: IsoDate }) {
  const admin = useSessionInfo()?.admin_client_name ?? 'Admin';
  const [form, setForm] = useState<MeetingForm>({
    subject: 'Staff meeting',
    often: 'weekly',
    weekdays: [dayOfWeek(today)],
    from: today,
    until: '',
    start: '12:00',
    end: '13:00',
    without: [],
  });
  const set = (changed: Partial<MeetingForm>): void => setForm((now) => ({ ...now, ...changed }));
  const therapists = useQuery(therapistsQuery);
  const people = byName(
    (therapists.data ?? []).filter((each) => each.location === location),
    (each) => each.display_name,
  ).map((each) => each.display_name);
  const body = meetingBody(form, people, { location, admin });
  const preview = usePreview(body);
  const { book, error, busy } = useBooking(form.subject);
  const outcomes = body && preview.data ? outcomesOf(body, preview.data) : null;
  const coming = [...(outcomes?.values() ?? [])].filter(({ dates }) => dates.length > 0).length;
  const sessions = preview.data?.days.reduce((n, { dates }) => n + dates.length, 0) ?? 0;
  return (
    <Page
      title="Plan a meeting"
      toolbar={
        <>
          <h1>Plan a meeting</h1>
          <LocationSelect value={location} onChange={(next) => navigate({ search: { location: next } })} />
          <PageActs>
            <Button
              variant="primary"
              size="lg"
              unavailable={busy || !body || !preview.data || sessions === 0}
              onClick={() => body && preview.data && book({ ...body, version: preview.data.version })}
            >
              {busy ? 'Saving...' : coming === 0 ? 'Book' : coming === 1 ? 'Book 1 Person' : `Book ${coming} People`}
            </Button>
          </PageActs>
        </>
      }
    >
      <Sheet fills="parts">
        <MeetingFields form={form} today={today} onChange={set} />
        <div className={css.said} role="status">
          <LoadFailure what="the therapists" query={therapists} />
          {error ? <Notice tone="error" title={failureWords(error, 'the calendar')} /> : null}
          {preview.error ? <Notice tone="error" title={failureWords(preview.error, 'the dates', 'looked up')} /> : null}
          <p>{wordsOf(form, people.length - form.without.length, preview.data)}</p>
        </div>
        <People form={form} people={people} outcomes={outcomes} onChange={set} />
      </Sheet>
    </Page>
  );
}

/** The location’s therapists: who comes, on how many dates, and on which dates they cannot. */
function People({
  form,
  people,
  outcomes,
  onChange: set,
}: {
  form: MeetingForm;
  people: readonly string[];
  outcomes: ReturnType<typeof outcomesOf> | null;
  onChange: (changed: Partial<MeetingForm>) => void;
}) {
  return (
    <ScrollRegion label="Who comes" className={table.scroll}>
      <DataTable
        caption="Who comes, and on which dates they cannot"
        rows={people}
        keyOf={(name) => name}
        columns={[
          {
            head: 'Comes',
            unseen: true,
            cell: (name) => (
              <Checkbox
                aria-label={name}
                checked={!form.without.includes(name)}
                onChange={() =>
                  set({
                    without: form.without.includes(name)
                      ? form.without.filter((each) => each !== name)
                      : [...form.without, name],
                  })
                }
              />
            ),
          },
          { head: 'Therapist', names: true, cell: (name) => name },
          { head: 'Booked', cell: (name) => datesWords(outcomes?.get(name)?.dates) },
          {
            head: 'Left out, and why',
            cell: (name) => (
              <ul>
                {reasonsOf(outcomes?.get(name)?.skipped ?? []).map(({ dates, why }) => (
                  <li key={why}>
                    {datesWords(dates)}: {why}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </ScrollRegion>
  );
}

const datesWords = (dates: readonly string[] | undefined): string =>
  dates === undefined ? '' : dates.length === 1 ? shortDate(isoDate(dates[0] ?? '')) : `${dates.length} dates`;

/** What would be booked, before anything is. */
function wordsOf(form: MeetingForm, people: number, preview: SeriesPreview | undefined): string {
  if (people * form.weekdays.length > MOST_SERIES_DAYS)
    return `At most ${MOST_SERIES_DAYS} people and days at once. Choose fewer people, then book the others.`;
  if (people === 0) return 'Choose who comes.';
  if (form.weekdays.length === 0) return 'Choose a day of the week.';
  if ((parseTime(form.end) ?? 0) <= (parseTime(form.start) ?? 0)) return 'The end must be after the start.';
  if (!preview) return 'Looking up who has a session then...';
  const skipped = preview.days.reduce((n, day) => n + day.skipped.length, 0);
  const made = preview.days.reduce((n, { dates }) => n + dates.length, 0);
  const until =
    form.often === 'once' || form.until !== '' ? '' : `, until ${shortDate(isoDate(preview.through))} at first`;
  return `${made} times are booked as administrative time${until}. ${
    skipped === 0
      ? 'Everyone can come.'
      : `${skipped} are left out for the reasons below; no session is cancelled or moved for the meeting.`
  }`;
}

function useBooking(subject: string) {
  const queries = useQueryClient();
  const booking = useMutation({
    mutationFn: (body: NonNullable<ReturnType<typeof meetingBody>>) => call(seriesEndpoints.book, { body }),
    onSuccess: ({ keys, sessions }) => {
      const text = `${subject}: ${sessions} times are booked.`;
      toast({ text, ...undoBooking(`${subject}, ${sessions} times`, keys, 'following') });
    },
    onSettled: () =>
      Promise.all(['slots', 'series-preview'].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
  return { book: booking.mutate, error: booking.error, busy: booking.isPending };
}

function MeetingFields({
  form,
  today,
  onChange: set,
}: {
  form: MeetingForm;
  today: IsoDate;
  onChange: (changed: Partial<MeetingForm>) => void;
}) {
  return (
    <div className={css.fields}>
      <Input
        label="What"
        value={form.subject}
        maxLength={200}
        onChange={({ target }) => set({ subject: target.value })}
      />
      <Input
        label="From"
        type="time"
        step={900}
        value={form.start}
        onChange={({ target }) => set({ start: target.value })}
      />
      <Input label="To" type="time" step={900} value={form.end} onChange={({ target }) => set({ end: target.value })} />
      <Segmented label="How often" value={form.often} options={HOW_OFTEN} onChange={(often) => set({ often })} />
      <DateField
        label={form.often === 'once' ? 'Date' : 'First date'}
        min={today}
        value={form.from}
        onDate={(from) => set({ from })}
      />
      {form.often === 'once' ? null : (
        <>
          <DateField
            label="Until (empty: no end)"
            min={form.from}
            value={form.until}
            onDate={(until) => set({ until })}
          />
          <div className={css.days} role="group" aria-label="Days of the week">
            {WEEKDAYS.map((weekday) => (
              <label key={weekday}>
                <Checkbox
                  aria-label={weekdayName(weekday)}
                  checked={form.weekdays.includes(weekday)}
                  onChange={() =>
                    set({
                      weekdays: form.weekdays.includes(weekday)
                        ? form.weekdays.filter((each) => each !== weekday)
                        : [...form.weekdays, weekday],
                    })
                  }
                />
                <span>{weekdayName(weekday).slice(0, 3)}</span>
              </label>
            ))}
          </div>
        </>
      )}
    </div>
  );
}
