import { useState } from 'react';
import { duration, isLocation, isoDate, shortDate, parseTime, type Location } from '@clinic/domain';
import { MOST_MADE_UP, type MakeupPiece, type Owed } from '@clinic/contract';
import { failureWords } from '../../shared/api/failure-words.ts';
import { navigate, useSearch } from '../../shared/router/history.ts';
import { usePickedLocation } from '../../shared/session/session-info.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox, Options, Select } from '../../shared/ui/field.tsx';
import { DataTable } from '../../shared/ui/data-table.tsx';
import { Loading } from '../../shared/ui/loading.tsx';
import { LocationSelect } from '../../shared/ui/location-select.tsx';
import { Page, Sheet } from '../../shared/ui/page.tsx';
import { ScrollRegion } from '../../shared/ui/scroll-region.tsx';
import { EmptyState, Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { timeWords } from '../../shared/time-words.ts';
import { useMakeupBooking, useOwed, useProposal } from './use-makeup.ts';
import css from './makeup.module.css';

/** What clients lost in four weeks, and sessions in the coming days that make it up. */
export function MakeupPage() {
  const search = useSearch();
  const location = usePickedLocation(isLocation(search['location']) ? search['location'] : undefined);
  return <Makeup key={location} location={location} />;
}

function Makeup({ location }: { location: Location }) {
  const [chosen, choose] = useState<readonly string[]>([]);
  const [days, setDays] = useState(10);
  const [times, setTimes] = useState<Times>('usual');
  const owed = useOwed(location);
  const proposal = useProposal(chosen.length === 0 ? null : { location, clients: [...chosen].sort(), days, times });
  const booking = useMakeupBooking();
  const pieces = chosen.length === 0 ? [] : (proposal.data?.pieces ?? []);
  const rows = owed.data?.owed ?? [];
  const able = rows
    .filter(canMakeUp)
    .map(({ client }) => client)
    .slice(0, MOST_MADE_UP);
  const set = (clients: readonly string[]): void => {
    booking.reset();
    choose(clients);
  };
  const book = (): void => {
    if (pieces.length === 0 || booking.isPending) return;
    booking.mutate(
      { location, pieces },
      {
        onSuccess: ({ sessions, minutes }) => {
          choose([]);
          toast({ text: `${countWords(sessions)} booked: ${duration(minutes)} are made up.` });
        },
      },
    );
  };
  return (
    <Page
      title="Make up"
      toolbar={
        <>
          <h1>Make up</h1>
          <LocationSelect value={location} onChange={(next) => navigate({ search: { location: next } })} />
          <span className="grow" />
          <Button variant="primary" size="lg" unavailable={pieces.length === 0 || booking.isPending} onClick={book}>
            {booking.isPending ? 'Booking...' : pieces.length === 0 ? 'Book' : `Book ${countWords(pieces.length)}`}
          </Button>
        </>
      }
    >
      <Sheet fills="parts" className={css.makeup}>
        <section className={css.lost}>
          <Loading what="what was lost" query={owed} height="18rem">
            {() =>
              rows.length === 0 ? (
                <EmptyState title="Nothing to make up">No child lost time in the last four weeks.</EmptyState>
              ) : (
                <ScrollRegion label="Lost in four weeks" className={css.part}>
                  <OwedTable rows={rows} able={able} chosen={chosen} onChoose={set} />
                </ScrollRegion>
              )
            }
          </Loading>
        </section>
        <section className={css.part} aria-label="Proposed sessions" tabIndex={0}>
          <How days={days} times={times} onDays={setDays} onTimes={setTimes} />
          {booking.error ? <Notice tone="error" title={failureWords(booking.error, 'the calendar', 'booked')} /> : null}
          {chosen.length === 0 ? (
            <p className={css.hint}>Choose whose time to make up. The sessions are found for all of them together.</p>
          ) : (
            <Loading what="the sessions" query={proposal} as="Looking for sessions" height="12rem">
              {({ left }) => <Proposal pieces={pieces} left={left} />}
            </Loading>
          )}
        </section>
      </Sheet>
    </Page>
  );
}

type Times = 'usual' | 'any';

/** In which days, and at which times, the sessions may be. */
function How({
  days,
  times,
  onDays,
  onTimes,
}: {
  days: number;
  times: Times;
  onDays: (days: number) => void;
  onTimes: (times: Times) => void;
}) {
  return (
    <div className={css.how}>
      <Select label="In the next" value={String(days)} onChange={(event) => onDays(Number(event.target.value))}>
        <Options of={[5, 10, 14, 21].map((n) => [n, `${n} days`])} />
      </Select>
      <Select
        label="When the children can come"
        value={times}
        onChange={(event) => onTimes(event.target.value === 'any' ? 'any' : 'usual')}
      >
        <option value="usual">When they usually come, an hour more on either side</option>
        <option value="any">Weekdays from 8 to 6</option>
      </Select>
    </div>
  );
}

const countWords = (n: number): string => (n === 1 ? '1 session' : `${n} sessions`);

function OwedTable({
  rows,
  able,
  chosen,
  onChoose,
}: {
  rows: readonly Owed[];
  able: readonly string[];
  chosen: readonly string[];
  onChoose: (clients: readonly string[]) => void;
}) {
  const toggle = (client: string): void =>
    onChoose(chosen.includes(client) ? chosen.filter((each) => each !== client) : [...chosen, client]);
  return (
    <DataTable
      caption="Lost in four weeks, by child"
      rows={rows}
      keyOf={({ client }) => client}
      columns={[
        {
          head: (
            <label>
              <Checkbox
                aria-label="All"
                checked={able.length > 0 && chosen.length === able.length}
                onChange={() => onChoose(chosen.length === able.length ? [] : able)}
              />
            </label>
          ),
          cell: (row) => (
            <Checkbox
              aria-label={row.client}
              checked={chosen.includes(row.client)}
              disabled={!canMakeUp(row)}
              onChange={() => toggle(row.client)}
            />
          ),
        },
        { head: 'Child', names: true, cell: ({ client }) => client },
        {
          head: 'Owed',
          cell: ({ owed, booked }) => (
            <>
              {owed === 0 ? 'nothing' : duration(owed)}
              {booked > 0 ? <span className="small muted"> {duration(booked)} booked</span> : null}
            </>
          ),
        },
        { head: 'Lost', cell: ({ lost }) => duration(lost) },
        { head: 'Why', cell: causesWords },
        { head: 'Since', cell: ({ since }) => (since === null ? '' : shortDate(isoDate(since))) },
        { head: 'Authorized', cell: leftWords },
      ]}
    />
  );
}

function Proposal({
  pieces,
  left,
}: {
  pieces: readonly MakeupPiece[];
  left: readonly { client: string; minutes: number; why: string }[];
}) {
  const clients = [...new Set([...pieces, ...left].map(({ client }) => client))];
  return (
    <div className={css.proposal} role="status">
      <h2>
        {pieces.length === 0 ? 'No session fits' : `${countWords(pieces.length)}, ${duration(minutesOf(pieces))}`}
      </h2>
      {clients.map((client) => {
        const rest = left.find((each) => each.client === client);
        return (
          <section key={client}>
            <h3>{client}</h3>
            <ul>
              {pieces
                .filter((piece) => piece.client === client)
                .map((piece) => (
                  <li key={`${piece.date} ${piece.start}`}>
                    <b>{whenWords(piece)}</b> with {piece.therapist}, {KNOWS_WORDS[piece.knows]}
                  </li>
                ))}
              {rest ? (
                <li className="muted">
                  {duration(rest.minutes)} stay owed. {rest.why}
                </li>
              ) : null}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** Clients who are owed at least half an hour, which is the least that can be made up. */
const canMakeUp = ({ owed }: Owed): boolean => owed >= 30;

/** Why the time was lost, the most first: `Weather 2 h, no reason yet 1 h`. */
const causesWords = ({ lost_by }: Owed): string =>
  lost_by.map(({ label, minutes }) => `${label ?? 'No reason yet'} ${duration(minutes)}`).join(', ');

/** What authorizations have left, in words. */
const leftWords = ({ left }: Owed): string => (left === null ? 'not checked' : left === 0 ? 'nothing' : duration(left));

/** `Mon, Nov 23, 8:00 AM – 10:00 AM` */
const whenWords = ({ date, start, end }: MakeupPiece): string =>
  `${shortDate(isoDate(date))}, ${timeWords(start)} – ${timeWords(end)}`;

const KNOWS_WORDS = { team: 'on the team', known: 'known', new: 'new face' } as const;

/** The minutes of these sessions. */
const minutesOf = (pieces: readonly MakeupPiece[]): number =>
  pieces.reduce((sum, { start, end }) => sum + (parseTime(end) ?? 0) - (parseTime(start) ?? 0), 0);
