import { createHmac } from 'node:crypto';
import type { Config } from '../../config.ts';
import { MailError, sendEmail } from './smtp.ts';

export const WAYS = ['email', 'text'] as const;
export type Way = (typeof WAYS)[number];

/** A message as it leaves the clinic. It names no child, no service, and no other person. */
interface Outgoing {
  readonly id: string;
  readonly way: Way;
  readonly address: string;
  readonly text: string;
}

/** Sends emails and text messages to families and staff. A channel without settings is off. */
export interface Sender {
  readonly ways: Readonly<Record<Way, boolean>>;
  /**
   * Resolves when the mail server or gateway has accepted the message; otherwise throws an error with a readable
   * message.
   */
  send(message: Outgoing): Promise<void>;
}

const PATIENCE_MS = 15_000;

export function makeSender({ smtpUrl, mailFrom, textWebhookUrl, textWebhookSecret }: Config): Sender {
  return {
    ways: { email: smtpUrl !== undefined, text: textWebhookUrl !== undefined },
    async send({ id, way, address, text }) {
      if (way === 'email') {
        if (smtpUrl === undefined || mailFrom === undefined)
          throw new MailError('Email is not set up. Ask an administrator.');
        return sendEmail(smtpUrl, { id, from: mailFrom, to: address, text });
      }
      if (textWebhookUrl === undefined || textWebhookSecret === undefined)
        throw new MailError('Text messages are not set up. Ask an administrator.');
      return callWebhook(textWebhookUrl, textWebhookSecret, { id, to: address, text });
    },
  };
}

/**
 * Passes a text message to the clinic's gateway. It is signed with HMAC-SHA256 over `timestamp.body`, in hex, so that
 * the gateway can refuse messages that are old or not ours.
 */
async function callWebhook(url: string, secret: string, message: object): Promise<void> {
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-timestamp': timestamp,
    'x-signature': `sha256=${signature}`,
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const reply = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' }).catch(() => {
    throw new MailError('The text gateway cannot be reached.');
  });
  await reply.body?.cancel();
  if (!reply.ok) throw new MailError(`The text gateway replied with error ${reply.status}.`);
}
