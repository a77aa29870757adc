/** The reasons why a therapist does not take a gap, and their words. */
import type { CoverModel, Part } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { listed } from './words.ts';

/**
 * The reasons, in the order in which they are checked. The last two exclude no one: the rules would let the therapist
 * take some of the time, but at a cost that the plan avoids (a lost lunch, one more handover), or even at a gain (the
 * gap is pinned, or the plan is not the best).
 */
export const BARS = [
  'away',
  'not available',
  'credential',
  'gender',
  'excluded',
  'not known',
  'has not met',
  'new here',
  'needs',
  'payer',
  'declined',
  'no notice',
  'with own client',
  'covering elsewhere',
  'at their cap',
  'fragment too short',
  'could, at a price',
  'could, at a gain',
] as const;
export type Bar = (typeof BARS)[number];

/**
 * What some reasons name: the client, the session's service, the client's payer, the needs that these therapists do not meet, and why the plan
 * leaves a gap whose cover would make it better.
 */
interface Named {
  readonly client: string;
  readonly service: string;
  readonly payer: string;
  readonly lacking: readonly string[];
  readonly left: string;
}

/** How many therapists a bar excludes, in words: `5 do not work then`. */
export const BAR_SENTENCES: Record<Bar, (n: number, named: Named) => string> = {
  away: (n) => `${n} ${n === 1 ? 'is' : 'are'} away`,
  'not available': (n) => `${n} ${n === 1 ? 'does' : 'do'} not work then`,
  credential: (n) => `${n} ${n === 1 ? 'does' : 'do'} not have the credential`,
  gender: (n) => `${n} ${n === 1 ? 'is' : 'are'} not the required gender`,
  excluded: (n, { client }) => `${n} may not see ${client}`,
  'not known': (n, { client }) => `${n} ${n === 1 ? 'is' : 'are'} new to ${client}, who sees only familiar people`,
  'has not met': (n, { client, service }) =>
    `${n} ${n === 1 ? 'has' : 'have'} not met ${client}; ${service} stays with people who know them`,
  'new here': (n, { client }) =>
    `${n} ${n === 1 ? 'is' : 'are'} new here and ${n === 1 ? 'does' : 'do'} not know ${client}`,
  needs: (n, { client, lacking }) =>
    `${n} ${n === 1 ? 'does' : 'do'} not have what ${client} needs: ${listed(lacking)}`,
  payer: (n, { payer }) => `${n} ${n === 1 ? 'does' : 'do'} not have what ${payer} requires`,
  declined: (n) => `${n} said no to this session`,
  'no notice': (n) => `${n} would have to come in on less than an hour’s notice`,
  'with own client': (n) => `${n} ${n === 1 ? 'is with their own client' : 'are with their own clients'}`,
  'covering elsewhere': (n) => `${n} ${n === 1 ? 'is' : 'are'} covering another session`,
  'at their cap': (n) => `${n} may not take on more that day`,
  'fragment too short': (n) => `${n} ${n === 1 ? 'is' : 'are'} free for too short a time`,
  'could, at a price': (n) => `${n} could take some of this time, but the rest of the day would get worse`,
  'could, at a gain': (n, { left }) => `${n} could take some of this time${left}`,
};

/** Why a plan leaves a gap although a therapist who takes some of it would make the plan better. */
export function whyLeft({ problem }: CoverModel, { session }: Part, strategy: Strategy): string {
  if (problem.pins?.some((pin) => pin.session === session.id))
    return ', but the choice for this session leaves it without a therapist';
  return strategy === 'alternative'
    ? ', but this option must differ from the others'
    : ', so there may be a better plan';
}

/** How many therapists do not work at that time, in words. */
export const notThenWords = (n: number): string =>
  BAR_SENTENCES['not available'](n, { client: '', service: '', payer: '', lacking: [], left: '' });
