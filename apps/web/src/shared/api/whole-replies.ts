import type {
  BackedUpTherapists,
  Client,
  OptionFigures,
  ProposalMetadata,
  ProposalReply,
  RefreshReply,
  SlotsReply,
  Therapist,
} from '@clinic/contract';
import { fullName } from '@clinic/domain';

/**
 * Replies made whole. The specification names few fields, our server sends further ones, and pages draw by them; a reply
 * without them, of an older server or of another one that keeps to the specification, is drawn with what it holds.
 */

/** `GET /slots`: without `people`, those booked or available get the rows. */
export function wholeDay(reply: Partial<SlotsReply>): SlotsReply {
  return { appointments: [], availabilities: [], absences: [], people: [], version: 0, now: '', ...reply };
}

/** What a proposal's metadata holds beyond the specification; the metadata itself goes back as it came. */
export function metadataDetails(
  metadata: Partial<ProposalMetadata>,
): Pick<ProposalMetadata, 'options' | 'claims' | 'versions'> {
  const { options = {}, claims = {}, versions = {} } = metadata;
  return { options: mapValues(options, (day) => mapValues(day, wholeFigures)), claims, versions };
}

const wholeFigures = (f: Partial<OptionFigures>): OptionFigures => {
  const { minutes_kept = 0, minutes_uncovered = 0 } = f;
  const figures = { label: '', strategy: '', changes: 0, new_faces: 0, proven: false, minutes_kept, minutes_uncovered };
  return { ...figures, minutes_needed: minutes_kept + minutes_uncovered, ...f };
};

const mapValues = <V, W>(record: Readonly<Record<string, V>>, to: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));

/** A proposal, of the process call or (`output`) of the refresher, which need not repeat the day's reserve. */
export function wholeProposal(
  reply: Partial<ProposalReply> & Partial<RefreshReply>,
  reserve: BackedUpTherapists = {},
): ProposalReply {
  return {
    data: reply.data ?? reply.output?.possible_solutions ?? {},
    metadata: reply.metadata ?? ({} as ProposalMetadata),
    backed_up_therapists: reply.backed_up_therapists ?? reserve,
  };
}

export const wholeTherapist = (reply: Partial<Therapist> & Pick<Therapist, 'id'>): Therapist => ({
  ...(reply as Therapist),
  display_name: reply.display_name ?? fullName(reply.first_name ?? '', reply.last_name ?? ''),
  consistency: reply.consistency ?? null,
  availability: reply.availability ?? [],
});

export const wholeClient = (reply: Partial<Client> & Pick<Client, 'id'>): Client => ({
  ...(reply as Client),
  display_name: reply.display_name ?? fullName(reply.first_name ?? '', reply.last_name ?? ''),
  restrictions: reply.restrictions ?? [],
  care_team_only: reply.care_team_only ?? false,
  rbt_or_above: reply.rbt_or_above ?? false,
  two_to_one: reply.two_to_one ?? false,
});
