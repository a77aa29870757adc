import {
  type BackedUpTherapists,
  type OptionFigures,
  type ProposalMetadata,
  type ProposalReply,
  type RefreshReply,
  type SlotsReply,
} from '@clinic/contract';
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
): Pick<ProposalMetadata, 'client_figures' | 'claims' | 'versions'> & { options: ShownOptions } {
  const { options = {}, client_figures = {}, claims = {}, versions = {} } = metadata;
  return { options: mapValues(options, (day) => mapValues(day, shownFigures)), client_figures, claims, versions };
}

/** An option's figures as far as the server sends them. A missing figure is not shown: 0 would claim something. */
export type ShownFigures = Partial<OptionFigures> & Pick<OptionFigures, 'label' | 'proven'>;
/** By date and option. */
export type ShownOptions = Readonly<Record<string, Readonly<Record<string, ShownFigures>>>>;

const shownFigures = (f: Partial<OptionFigures>): ShownFigures => {
  const { minutes_kept: kept, minutes_uncovered: uncovered } = f;
  const needed = kept === undefined || uncovered === undefined ? {} : { minutes_needed: kept + uncovered };
  return { label: '', proven: false, ...needed, ...f };
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
