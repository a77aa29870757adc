import {
  eachClientMark,
  type BackedUpTherapists,
  type Client,
  type OptionFigures,
  type ProposalMetadata,
  type ProposalReply,
  type RefreshReply,
  type SlotsReply,
  type Therapist,
} from '@clinic/contract';
import { fullName } from '@clinic/domain';
import { unreadableReply } from './client.ts';

/**
 * Completes replies. The specification names few fields, our server sends more, and the pages use them; a reply without
 * them, from an older server or another one that follows the specification, is shown with what it has.
 */

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * `GET /slots`: without `people`, everyone booked or available gets a row. Throws ApiError if it does not hold a day.
 */
export function wholeDay(reply: Partial<SlotsReply>): SlotsReply {
  if (!isRecord(reply) || !Array.isArray(reply.appointments) || !Array.isArray(reply.availabilities))
    throw unreadableReply(200);
  return { appointments: [], availabilities: [], absences: [], people: [], version: 0, now: '', ...reply };
}

/** What a proposal's metadata holds beyond the specification; the metadata itself is sent back unchanged. */
export function metadataDetails(
  metadata: Partial<ProposalMetadata>,
): Pick<ProposalMetadata, 'options' | 'client_figures' | 'claims' | 'versions'> {
  const { options = {}, client_figures = {}, claims = {}, versions = {} } = metadata;
  return { options: mapValues(options, (day) => mapValues(day, wholeFigures)), client_figures, claims, versions };
}

const wholeFigures = (f: Partial<OptionFigures>): OptionFigures => {
  const { minutes_kept = 0, minutes_uncovered = 0 } = f;
  const counts = { sessions: 0, changes: 0, new_faces: 0, minutes_kept, minutes_uncovered };
  const minutes_needed = minutes_kept + minutes_uncovered;
  const head = { calls: 0, cuts: 0, bcba_minutes: 0, leads_in: null };
  return { label: '', strategy: '', proven: false, ...counts, minutes_needed, ...head, ...f };
};

const mapValues = <V, W>(record: Readonly<Record<string, V>>, to: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));

/**
 * A proposal, from the process call or (`output`) from the refresher, which need not repeat the day's reserve. Throws
 * ApiError if it holds no solutions: an unreadable reply must never look like *no changes needed*.
 */
export function wholeProposal(
  reply: Partial<ProposalReply> & Partial<RefreshReply>,
  reserve: BackedUpTherapists = {},
): ProposalReply {
  const data: unknown = isRecord(reply) ? (reply.data ?? reply.output?.possible_solutions) : null;
  if (!isRecord(data)) throw unreadableReply(200);
  return {
    data: data as ProposalReply['data'],
    metadata: reply.metadata ?? ({} as ProposalMetadata),
    backed_up_therapists: reply.backed_up_therapists ?? reserve,
  };
}

/** The list with each entry completed by `whole`. Throws ApiError if the reply is not a list. */
export function wholeList<T, W>(reply: readonly T[], whole: (entry: T) => W): W[] {
  if (!Array.isArray(reply)) throw unreadableReply(200);
  return reply.map(whole);
}

export const wholeTherapist = (reply: Partial<Therapist> & Pick<Therapist, 'id'>): Therapist => ({
  ...(reply as Therapist),
  display_name: reply.display_name ?? fullName(reply.first_name ?? '', reply.last_name ?? ''),
  end_date: reply.end_date ?? null,
  consistency: reply.consistency ?? null,
  availability: reply.availability ?? [],
});

export const wholeClient = (reply: Partial<Client> & Pick<Client, 'id'>): Client => ({
  ...(reply as Client),
  display_name: reply.display_name ?? fullName(reply.first_name ?? '', reply.last_name ?? ''),
  restrictions: reply.restrictions ?? [],
  ...eachClientMark((mark) => reply[mark] ?? false),
});
