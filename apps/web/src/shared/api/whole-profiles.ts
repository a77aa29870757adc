import { eachClientMark, eachNotePart, type Client, type Therapist } from '@clinic/contract';
import { fullName, USUAL_PRIORITY } from '@clinic/domain';

/**
 * Fills in the profile fields that another server (`lenient.ts`) may leave out, as `whole-proposal.ts` does for other
 * replies. The first page needs no profiles, so this is a separate file.
 */

export const wholeTherapist = (reply: Partial<Therapist> & Pick<Therapist, 'id'>): Therapist => ({
  ...(reply as Therapist),
  display_name: reply.display_name ?? fullName(reply.first_name ?? '', reply.last_name ?? ''),
  end_date: reply.end_date ?? null,
  consistency: reply.consistency ?? null,
  week_hours: reply.week_hours ?? null,
  day_hours: reply.day_hours ?? null,
  guaranteed_hours: reply.guaranteed_hours ?? null,
  availability: reply.availability ?? [],
  credentials: reply.credentials ?? [],
  tags: reply.tags ?? [],
});

export const wholeClient = (reply: Partial<Client> & Pick<Client, 'id'>): Client => ({
  ...(reply as Client),
  display_name: reply.display_name ?? fullName(reply.first_name ?? '', reply.last_name ?? ''),
  restrictions: reply.restrictions ?? [],
  needs: reply.needs ?? [],
  priority: reply.priority ?? USUAL_PRIORITY,
  end_date: reply.end_date ?? null,
  ...eachClientMark((mark) => reply[mark] ?? false),
  ...eachNotePart((part) => reply[part] ?? ''),
});
