import {
  UNASSIGNED,
  statusShown,
  type BackedUpTherapists,
  type ProposalMetadata,
  type ProposalReply,
  type RefreshReply,
  type OfferedOptions,
} from '@clinic/contract';
import { locationLabel, pushTo, timeSlot, type Location } from '@clinic/domain';
import type { MixedDay } from './dates-together.ts';
import type { WeekSession } from './proposals.queries.ts';

/** A revision of a proposal before it is put into the API's form; its days are in order. */
export interface BuiltProposal {
  id: string;
  revision: number;
  location: Location;
  day: string;
  queries: unknown[];
  days: MixedDay[];
  week: WeekSession[];
  /** Whether only Option 1 is included so far, and more options may follow. */
  more?: boolean;
}

export function presentProposal(built: BuiltProposal): ProposalReply {
  return {
    data: presentData(built),
    metadata: presentMetadata(built),
    backed_up_therapists: presentReserve(built),
  };
}

export function presentRefresh(built: BuiltProposal, message: string): RefreshReply {
  return {
    output: { possible_solutions: presentData(built) },
    metadata: presentMetadata(built),
    backed_up_therapists: presentReserve(built),
    message,
  };
}

/** Returns the options for the dates on which at least one session is affected or cancelled. */
function presentData(built: BuiltProposal): OfferedOptions {
  const days = built.days.filter((d) => d.stored.listed.length > 0);
  return Object.fromEntries(days.map((d) => [d.stored.planned.date, d.cells]));
}

const byDate = <T>(built: BuiltProposal, of: (day: MixedDay) => T): Record<string, T> =>
  Object.fromEntries(built.days.map((d) => [d.stored.planned.date, of(d)]));

const presentReserve = (built: BuiltProposal): BackedUpTherapists => byDate(built, (d) => d.reserve ?? []);

/** The dates that may have further options, which were not found in time. */
function unfinishedOf({ days }: BuiltProposal): Pick<ProposalMetadata, 'unfinished'> {
  const unfinished = days.filter((d) => d.unfinished).map((d) => d.stored.planned.date);
  return unfinished.length > 0 ? { unfinished } : {};
}

/**
 * For each date: how many people were told about it in telephone calls, and whether the options agree with what they
 * were told.
 */
const toldOf = (built: BuiltProposal): ProposalMetadata['told'] =>
  Object.fromEntries(
    built.days.flatMap(({ stored: { planned } }) =>
      planned.told ? [[planned.date, { people: planned.told.people, kept: planned.told.kept }]] : [],
    ),
  );

/** Returns, for each date, the hours of the therapists who take a session in some option. */
function hoursOf(built: BuiltProposal): ProposalMetadata['hours'] {
  const claims = built.days.flatMap((d) => Object.values(d.claims).flatMap((options) => Object.values(options).flat()));
  const takers = new Set(claims.flatMap(({ therapist, other }) => (other ? [therapist] : [])));
  return byDate(built, ({ hours }) => Object.fromEntries(Object.entries(hours).filter(([name]) => takers.has(name))));
}

function clientCount({ stored: { planned, listed } }: MixedDay): number {
  const shown = new Set(listed.flatMap(({ sessions }) => sessions));
  const rows = planned.sessions.flatMap((session) => (shown.has(session.id) ? session.rows : []));
  return new Set(rows.map(({ clientId }) => clientId)).size;
}

/** The client for whose session a therapist was chosen. */
function chosenOf({ days }: BuiltProposal): Pick<ProposalMetadata, 'chosen'> {
  const found = days.flatMap(({ stored: { planned, listed } }) =>
    listed.flatMap(({ name, sessions }) =>
      sessions.some((id) => planned.chosen?.includes(id)) ? [{ date: planned.date, client: name }] : [],
    ),
  );
  const [chosen] = found;
  return chosen ? { chosen } : {};
}

function presentMetadata(built: BuiltProposal): ProposalMetadata {
  const weeks = new Map<string, ProposalMetadata['weekly_schedule'][string]>();
  for (const s of built.week) {
    // An account that may see this location but not the other one sees only that the time is taken.
    const elsewhere = s.location !== built.location;
    const line = {
      date: s.date,
      time: timeSlot(s.start, s.end),
      therapist: elsewhere ? `(${locationLabel(s.location)})` : (s.therapist ?? UNASSIGNED),
      subject: elsewhere ? '' : s.subject,
      status: statusShown(s.status, s.hasTherapist),
    };
    pushTo(weeks, s.client, line);
  }
  return {
    location: built.location,
    day: built.day,
    proposal: built.id,
    revision: built.revision,
    queries: built.queries,
    weekly_schedule: Object.fromEntries(weeks),
    options: byDate(built, (d) => d.figures),
    client_figures: byDate(built, (d) => d.clientFigures),
    claims: byDate(built, (d) => d.claims),
    hours: hoursOf(built),
    clients: byDate(built, clientCount),
    told: toldOf(built),
    ...chosenOf(built),
    ...(built.more === true ? { more: true } : {}),
    ...unfinishedOf(built),
    versions: byDate(built, (d) => d.stored.planned.version),
  };
}
