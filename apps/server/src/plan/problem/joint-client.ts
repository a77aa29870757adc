import type { ProblemClient, ProblemPayer } from '@clinic/cover-engine';
import { acceptedCredentials, GENDERS, listWords, type Specialization } from '@clinic/domain';
import type { DayClient, Familiarity } from '../../day/facts/day.ts';

/** For each client: the therapists whom the client came to know on an earlier date of the same proposal. */
export type ExtraTeam = ReadonlyMap<string, ReadonlySet<string>>;

function familiarityOf(client: DayClient, therapistId: string, extra: ExtraTeam): Familiarity | null {
  return extra.get(client.id)?.has(therapistId) ? 'team' : (client.knows.get(therapistId) ?? null);
}

const eachOnce = (tags: readonly string[]): string[] => [...new Set(tags)].sort();

/**
 * Returns a session's client in the problem. A group counts as one client, with the needs of all members and the sum of
 * their priorities. How well this client knows a therapist depends on the member who knows the therapist least.
 */
export function problemClient(
  id: string,
  members: readonly DayClient[],
  therapistIds: readonly string[],
  extra: ExtraTeam,
): ProblemClient {
  const knows: Record<string, Familiarity> = {};
  for (const therapist of therapistIds) {
    const all = members.map((m) => familiarityOf(m, therapist, extra));
    if (all.every((k) => k === 'team')) knows[therapist] = 'team';
    else if (all.every((k) => k !== null)) knows[therapist] = 'known';
  }
  const genders = GENDERS.filter((g) =>
    members.every((m) => m.requiresGender.length === 0 || m.requiresGender.includes(g)),
  );
  const excludes = new Set(members.flatMap((m) => m.excludesTherapist));
  for (const m of members)
    if (m.careTeamOnly) for (const t of therapistIds) if (familiarityOf(m, t, extra) === 'known') excludes.add(t);
  // One member accepts only women and another only men, so no therapist may take the group.
  if (genders.length === 0) for (const t of therapistIds) excludes.add(t);
  const own = eachOnce(members.flatMap((m) => m.needs));
  const credentials = acceptedCredentials(members.some((m) => m.rbtOrAbove) ? 'RBT' : null);
  const payer = joinedPayer(members, own, credentials);
  return {
    id,
    name: listWords(members.map((m) => m.displayName)),
    priority: members.reduce((sum, m) => sum + m.priority, 0),
    requiresGender: genders.length === 1 ? [...genders] : [],
    excludes: [...excludes].sort(),
    knownOnly: members.some((m) => m.careTeamOnly),
    credentials: payer?.credentials ?? credentials,
    knows,
    needs: payer ? eachOnce([...own, ...payer.needs]) : own,
    prefers: eachOnce(members.flatMap((m) => m.prefers)),
    ...(payer ? { payer } : {}),
  };
}

/** Finds what the members' payers require beyond what the members themselves need; null if nothing. */
function joinedPayer(
  members: readonly DayClient[],
  own: readonly string[],
  credentials: readonly Specialization[] | null,
): ProblemPayer | null {
  const asking = members
    .flatMap((m) => m.payers)
    .map(({ name, tag, credential }) => ({
      name,
      needs: tag === null || own.includes(tag) ? [] : [tag],
      accepts: credential === 'RBT' && credentials !== null ? null : acceptedCredentials(credential),
    }))
    .filter(({ needs, accepts }) => needs.length > 0 || accepts !== null);
  if (asking.length === 0) return null;
  const strictest = asking
    .flatMap(({ accepts }) => (accepts === null ? [] : [accepts]))
    .sort((a, b) => a.length - b.length);
  return {
    name: eachOnce(asking.map(({ name }) => name)).join(' and '),
    needs: eachOnce(asking.flatMap(({ needs }) => needs)),
    credentials: strictest[0] ?? null,
  };
}
