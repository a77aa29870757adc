import { emailKey, shortDate, type Location } from '@clinic/domain';
import type { EmailOff, Role } from '@clinic/contract';
import { loadContacts } from '../people/contacts.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import { isoAt } from '../platform/clock.ts';
import type { Matter } from '../platform/sending/outbox.ts';
import { keepSifted, type DueMessage } from '../platform/sending/outbox.queries.ts';
import { wallNow } from '../platform/wall-clock.ts';
import { makeSecret } from '../access/secret.ts';
import { addMailedHash, insertInvitationMessage, selectInvitation } from './invitations.queries.ts';

/** Why links cannot be sent by email; null if they can. */
export const emailOff = ({ smtpUrl, publicUrl }: Pick<Config, 'smtpUrl' | 'publicUrl'>): EmailOff | null =>
  smtpUrl === undefined ? 'no-mail-server' : publicUrl === undefined ? 'no-public-url' : null;

/** The placeholder for the link's secret in an email that waits to be sent, so that the outbox contains no secret. */
const HOLE = '#…';

/** The text of an invitation. It names no therapist, client or service. */
const wordsOf = (role: Role, publicUrl: string, until: string): string =>
  `${role === 'therapist' ? 'Your own page of the clinic schedule' : 'Your account for the clinic schedule'}: open ${publicUrl}/welcome${HOLE} and choose how you log in. The link works once, until ${until}. It is only for you; please do not forward it.`;

interface InvitationByEmail {
  readonly id: string;
  readonly role: Role;
  readonly location: Location;
  readonly to: string;
  readonly publicUrl: string;
  readonly by: string | null;
  /** The current time, in milliseconds since 1970. */
  readonly at: number;
  readonly expires: number;
}

/** Puts the email for an invitation into the outbox. */
export async function mailInvitation(trx: Db, plan: InvitationByEmail): Promise<void> {
  const dateOf = (at: number) => wallNow({ now: () => at }, plan.location).date;
  const at = isoAt(plan.at);
  const { id, role, location, to: address, by } = plan;
  const words = wordsOf(role, plan.publicUrl, shortDate(dateOf(plan.expires)));
  await insertInvitationMessage(trx, { id, location, date: dateOf(plan.at), address, words, by, at });
}

/** Whether this email address is among the therapist's contacts. */
export async function isTheirEmail(db: Db, therapistId: string, email: string): Promise<boolean> {
  const contacts = (await loadContacts(db, 'therapist', [therapistId], null)).get(therapistId) ?? [];
  return contacts.some((contact) => emailKey(contact.email) === emailKey(email));
}

/**
 * Tells the outbox how to handle invitations. Each attempt makes a new link and stores only the hash of its secret.
 * Links from earlier attempts keep working, because an email may have arrived although the mail server never confirmed
 * it.
 */
export const invitationMessages: Matter = {
  async sift(db, due, _ways, at) {
    const ready: DueMessage[] = [];
    for (const message of due) ready.push(...(await readyOf(db, message, at)));
    return ready;
  },
  tried: () => Promise.resolve(),
};

/** Makes the message with a new link, ready to send; none if the invitation or the address is no longer valid. */
const readyOf = (db: Db, message: DueMessage, at: string): Promise<DueMessage[]> =>
  inTransaction(db, async (trx) => {
    const { secret, hash } = makeSecret();
    const drop = await addLink(trx, message, hash, at);
    if (drop === null) return [{ ...message, words: message.words.replace(HOLE, `#${secret}`) }];
    await keepSifted(trx, message, { drop }, at);
    return [];
  });

/**
 * Adds a link's hash to the message's invitation. If the message must be dropped instead, returns the reason; otherwise
 * null.
 */
async function addLink(trx: Db, message: DueMessage, hash: Buffer, at: string): Promise<'ended' | 'address' | null> {
  const invitation = await selectInvitation(trx, message.invitation_id ?? '', at);
  if (!invitation) return 'ended';
  const { therapist_id: therapistId } = invitation;
  if (therapistId !== null && !(await isTheirEmail(trx, therapistId, message.address))) return 'address';
  return (await addMailedHash(trx, invitation.id, hash, at)) ? null : 'ended';
}
