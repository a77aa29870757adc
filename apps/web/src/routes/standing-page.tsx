// This file is over 250 lines because it holds the page's parts that belong to no table.
import { useState } from 'react';
import type { StandingReply } from '@clinic/contract';
import { duration, isoDate, listWords, shortDate } from '@clinic/domain';
import { submitStanding, undoStanding, useStanding } from '../features/standing/api/use-standing.ts';
import { AskForm } from '../features/standing/components/ask-form.tsx';
import { Meetings, useChosenMeetings } from '../features/standing/components/meetings.tsx';
import { StandingTable } from '../features/standing/components/standing-table.tsx';
import css from '../features/standing/components/standing.module.css';
import {
  askedOf,
  beyondWords,
  clashesOf,
  datesIn,
  figuresOf,
  openWords,
  sameFor,
  titleOf,
  toTellIn,
  weeksOf,
  type Choice,
} from '../features/standing/model.ts';
import { ApiError } from '../shared/api/client.ts';
import { conflictsIn } from '../shared/api/conflicts.ts';
import { failureWords } from '../shared/api/failure-words.ts';
import { useToday } from '../shared/clinic-clock.ts';
import { navigate, useSearch } from '../shared/router/history.ts';
import { usePickedLocation } from '../shared/session/session-info.ts';
import { Button } from '../shared/ui/button.tsx';
import { LoadFailure } from '../shared/ui/load-failure.tsx';
import { LocationSelect } from '../shared/ui/location-select.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { Segmented } from '../shared/ui/segmented.tsx';
import { EmptyState, Notice, Skeleton, Skeletons } from '../shared/ui/states.tsx';
import { toast } from '../shared/ui/toast.tsx';

/** Who takes a therapist's sessions while they are away for weeks. */
export function StandingPage() {
  const search = useSearch();
  const location = usePickedLocation(search['location']);
  const today = useToday(location);
  const asked = askedOf(search, location, today);
  const open = search['open'] === '1';
  const [asking, setAsking] = useState(false);
  const query = useStanding(asked);
  const reply = query.data;
  const title = reply ? titleOf(reply, open) : 'Who takes the sessions?';
  return (
    <Page
      title={title}
      toolbar={
        <>
          <h1>{title}</h1>
          <span className="grow" />
          {reply ? (
            <span className="muted small">
              {shortDate(isoDate(reply.from))} to {shortDate(isoDate(reply.until))}
              {reply.for_good ? ', the last on the calendar' : ''}
            </span>
          ) : null}
          <LocationSelect value={location} onChange={(next) => navigate({ search: { location: next } })} />
          {asked ? (
            <Button aria-expanded={asking} onClick={() => setAsking(!asking)}>
              Change the dates
            </Button>
          ) : null}
        </>
      }
    >
      <Sheet fills="parts" className={css.sheet}>
        {asking || (!asked && today) ? <AskForm key={location} search={search} location={location} /> : null}
        <LoadFailure what="the options" query={query} />
        {query.isFetching ? (
          <div role="status" aria-label="Finding replacements" className={css.form}>
            <Skeletons>
              {[0, 1, 2, 3].map((row) => (
                <Skeleton key={row} style={{ height: '4rem', width: '100%' }} />
              ))}
            </Skeletons>
          </div>
        ) : reply ? (
          <Options key={reply.proposal} reply={reply} open={open} onAgain={() => void query.refetch()} />
        ) : null}
      </Sheet>
    </Page>
  );
}

function Options({ reply, open, onAgain }: { reply: StandingReply; open: boolean; onAgain: () => void }) {
  const [choice, setChoice] = useState<Choice>(() => sameFor(reply, reply.options[0]?.name ?? ''));
  const [shown, setShown] = useState(reply.options[0]?.name ?? '');
  const [failed, setFailed] = useState<unknown>(null);
  const [sending, setSending] = useState(false);
  const [times, setTimes] = useState(1);
  const planned = useChosenMeetings(reply, choice, times);
  const [first] = reply.options;
  if (!first)
    return (
      <EmptyState title="Nothing to replace">
        {reply.therapist.name} has no session in this time that can be given to somebody for weeks.
        {reply.left_out.length > 0 ? ` ${reply.left_out.length} stay as they are.` : ''}
      </EmptyState>
    );
  const clashes = clashesOf(reply, choice);
  const all = figuresOf(reply, choice);

  async function submit(): Promise<void> {
    setSending(true);
    setFailed(null);
    try {
      const dates = reply.children.flatMap(({ series }) => series.flatMap((each) => each.dates));
      const { joins } = planned;
      const body = {
        proposal: reply.proposal,
        choice: { ...choice },
        ...(joins.length > 0 ? { meetings: joins } : {}),
      };
      const done = await submitStanding(reply.location, body, [...joins.map(({ date }) => date), ...dates]);
      const told = [...joins.map(({ date }) => date), ...datesIn(reply, choice)].sort();
      showDone(reply, done, told[0], onAgain);
      onAgain();
    } catch (error) {
      setFailed(error);
    } finally {
      setSending(false);
    }
  }

  return (
    <>
      <div className={css.head}>
        <p>
          <b>
            {countWords(all.sessions, reply)}, {duration(all.needed)}, {reply.children.length}{' '}
            {reply.children.length === 1 ? 'child' : 'children'}.
          </b>{' '}
          <span className="muted">One line a weekday, one column a week. {beyondWords(reply, open)}</span>
        </p>
        <Legend />
      </div>
      <div className={css.only}>
        <Segmented
          label="Option"
          value={shown}
          options={reply.options.map(({ name, label }) => ({ value: name, label }))}
          onChange={setShown}
        />
      </div>
      <StandingTable
        reply={reply}
        weeks={weeksOf(reply)}
        choice={choice}
        shown={shown}
        clashing={new Set(clashes.flatMap(({ children }) => children))}
        onChoose={setChoice}
      />
      <Meetings reply={reply} choice={choice} times={times} planned={planned} onTimes={setTimes} />
      {failed === null ? null : <Refused error={failed} onAgain={onAgain} />}
      <Foot
        reply={reply}
        choice={choice}
        clashes={clashes.map(({ words }) => words)}
        sending={sending || planned.isWaiting}
        onSubmit={() => void submit()}
      />
    </>
  );
}

const Legend = () => (
  <ul className={css.key} aria-label="Legend">
    <li>
      <i className={css.takes} />
      takes it
    </li>
    <li>
      <i className={css.face} />
      new face
    </li>
    <li>
      <i className={css.lefty} />
      left to that day
    </li>
    <li>
      <i className={css.gap} />
      no session
    </li>
  </ul>
);

const countWords = (taken: number, { children }: StandingReply): string => {
  const count = children.reduce((sum, { series }) => sum + series.reduce((own, { dates }) => own + dates.length, 0), 0);
  return `${count} ${count === 1 ? 'session' : 'sessions'}${taken === count ? '' : `, ${taken} of them taken`}`;
};

/** What the choice keeps, what stays open, and the button that submits it. */
function Foot({
  reply,
  choice,
  clashes,
  sending,
  onSubmit,
}: {
  reply: StandingReply;
  choice: Choice;
  clashes: readonly string[];
  sending: boolean;
  onSubmit: () => void;
}) {
  const { kept, needed, people, newFaces, sessions } = figuresOf(reply, choice);
  const names = new Set(Object.values(choice));
  const mix = names.size === 1 ? [...names][0] : 'Your mix';
  return (
    <footer className={css.foot}>
      <p>
        {clashes.length > 0 ? (
          <span role="alert">
            <b>This mix does not work.</b> {clashes[0]}
          </span>
        ) : sessions === 0 ? (
          <>
            <b>Nobody can take these for weeks.</b> Each day’s options find who can come then.
          </>
        ) : (
          <>
            <b>{mix}</b> keeps {duration(kept)} of {duration(needed)}: {people} {people === 1 ? 'person' : 'people'} for{' '}
            {reply.children.length} {reply.children.length === 1 ? 'child' : 'children'}, {newFaces}{' '}
            {newFaces === 1 ? 'new face' : 'new faces'}.
          </>
        )}
        <br />
        <span className="small muted">{[openWords(reply, choice), sameWords(reply)].filter(Boolean).join(' ')}</span>
      </p>
      <div className={css.more}>
        <Staying reply={reply} />
        <People reply={reply} choice={choice} />
      </div>
      <Button
        variant="primary"
        size="lg"
        single
        unavailable={sending || clashes.length > 0 || sessions === 0}
        onClick={onSubmit}
      >
        {sending
          ? 'Working…'
          : sessions === 0
            ? 'Nothing to submit'
            : sessions === 1
              ? 'Submit 1 session'
              : `Submit all ${sessions} sessions`}
      </Button>
    </footer>
  );
}

/** The sessions that stay as they are, each with the reason, and a way to choose for them too. */
function Staying({ reply: { left_out: all } }: { reply: StandingReply }) {
  const search = useSearch();
  if (all.length === 0) return null;
  const canChange = search['replan'] !== '1' && all.some(({ why_code: why }) => why === 'planned' || why === 'told');
  return (
    <details className="small">
      <summary>
        {all.length} {all.length === 1 ? 'session stays as it is' : 'sessions stay as they are'}
      </summary>
      <ul>
        {all.map(({ date, time, child, why }) => (
          <li key={`${date} ${time} ${child}`}>
            {child}, {shortDate(isoDate(date))}, {time}. {why}.
          </li>
        ))}
      </ul>
      {canChange ? (
        <Button variant="link" onClick={() => navigate({ search: { ...search, replan: '1' } })}>
          Choose for those that are planned or told, too
        </Button>
      ) : null}
    </details>
  );
}

/** Whom to tell once the choice is submitted. */
function People({ reply, choice }: { reply: StandingReply; choice: Choice }) {
  const people = toTellIn(reply, choice);
  return people.length === 0 ? null : (
    <details className="small">
      <summary>{people.length} to tell after you submit</summary>
      {listWords(people)}.
    </details>
  );
}

function sameWords({ same, unfinished }: StandingReply): string {
  const equal = same.length === 0 ? '' : `${listWords(same)} would be the same as an option shown.`;
  return unfinished.length === 0 ? equal : `${equal} Time ran out for ${listWords(unfinished)}.`;
}

function Refused({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const conflicts = error instanceof ApiError ? conflictsIn(error.detail) : null;
  return (
    <Notice
      tone="error"
      title={failureWords(error, 'the replacement', 'submitted')}
      actions={<Button onClick={onAgain}>Look again</Button>}
    >
      {conflicts?.slice(0, 5).map(({ date, time, client, why }) => (
        <span key={`${date} ${time} ${client}`}>
          {why} <br />
        </span>
      ))}
      {conflicts && conflicts.length > 5 ? `And ${conflicts.length - 5} more.` : null}
    </Notice>
  );
}

function showDone(
  { from, until, location }: StandingReply,
  done: { commit: string; sessions: number; people: number; meetings: number },
  first: string | undefined,
  onAgain: () => void,
): void {
  const undo = async (): Promise<void> => {
    try {
      await undoStanding(done.commit);
      toast({ text: 'Undone. The calendar is as it was before.' });
    } catch (error) {
      toast({ tone: 'warn', text: failureWords(error, 'the calendar', 'undone') });
    }
    onAgain();
  };
  toast({
    text: [
      done.sessions === 1
        ? `1 session on ${shortDate(isoDate(from))} or later has a therapist.`
        : `${done.sessions} sessions from ${shortDate(isoDate(from))} to ${shortDate(isoDate(until))} have a therapist.`,
      done.meetings === 0 ? '' : done.meetings === 1 ? '1 meeting is booked.' : `${done.meetings} meetings are booked.`,
      done.people === 1 ? '1 person to tell.' : `${done.people} people to tell.`,
    ]
      .filter(Boolean)
      .join(' '),
    takesFocus: true,
    stays: 60_000,
    action: { label: 'Undo all', run: () => void undo() },
    next: { label: 'Calls', run: () => navigate({ to: '/calls', search: { location, date: first ?? from } }) },
  });
}
