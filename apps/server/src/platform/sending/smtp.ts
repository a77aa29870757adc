import { isEmailAddress } from '@clinic/domain';
import { createTransport } from 'nodemailer';
import { isLoopback } from '../../config.ts';

/** A plain-text email. */
interface Email {
  /** The part of the Message-ID before the @; every attempt uses the same id. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** The subject of an email: its words up to the first colon or the end of the first sentence, never within an address. */
const subjectOf = (text: string): string => /^.*?(?=[:.]?(?:\s*\n|\s*$)|[:.]\s)/.exec(text)?.[0] ?? '';

/** Says why an email was not accepted, without addresses or names. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

/** How long to wait for a mail server. */
interface Patience {
  readonly greetingMs: number;
  readonly silenceMs: number;
  readonly tryMs: number;
}

const PATIENCE: Patience = {
  greetingMs: 15_000,
  // Some servers read the whole message before they accept it. If we gave up too early, such a server would deliver the
  // message and then get it again.
  silenceMs: 60_000,
  // Ends an attempt while this process still owns the message, even if the mail server keeps the connection busy.
  tryMs: 100_000,
};

/**
 * Passes an email to the mail server at `smtp://user:password@host:587` or `smtps://…:465`; resolves when the server
 * has taken responsibility for it. Sends nothing, not even the password, to a server on another machine over a
 * connection that is unencrypted or whose certificate cannot be trusted.
 */
export async function sendEmail(
  url: string,
  { id, from, to, text }: Email,
  { greetingMs, silenceMs, tryMs }: Patience = PATIENCE,
): Promise<void> {
  // An address that an earlier version accepted.
  if (!isEmailAddress(to)) throw new MailError('This is not an email address. Correct it in the profile, or call.');
  const server = new URL(url);
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const [user, pass] = [decodeURIComponent(server.username), decodeURIComponent(server.password)];
  const transport = createTransport({
    host,
    ...(server.port === '' ? {} : { port: Number(server.port) }),
    secure: server.protocol === 'smtps:',
    requireTLS: !isLoopback(host),
    ...(user === '' ? {} : { auth: { user, pass } }),
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
  });
  try {
    await transport.sendMail({
      envelope: { from, to: [to] }, // the email has exactly one recipient, whatever the address looks like
      from: { name: '', address: from },
      to: { name: '', address: to },
      subject: subjectOf(text),
      text,
      messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: AbortSignal.timeout(tryMs),
    });
  } catch (error) {
    throw new MailError(wordsFor(error));
  } finally {
    transport.close();
  }
}

/**
 * OpenSSL's and Node.js's error codes for a certificate that is untrusted, expired, not yet valid, or for another host.
 */
const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/;

/**
 * Describes an error in our own words, because the library's messages quote the server's reply, which may contain the
 * email address.
 */
function wordsFor(error: unknown): string {
  const { name, code, originalCode, command, responseCode } = error as {
    name?: string;
    code?: string;
    /** The socket's error code; `code` holds the library's error code. */
    originalCode?: string;
    command?: string;
    responseCode?: number;
  };
  if (code === 'EAUTH' && !isForNow(responseCode))
    return 'The mail server does not accept the clinic’s user name and password. Ask an administrator to correct them.';
  if (CERTIFICATE.test(originalCode ?? ''))
    return 'The mail server’s certificate cannot be trusted, so nothing was sent. Ask an administrator to fix this.';
  if (code === 'ETLS')
    return 'The mail server does not offer an encrypted connection, so nothing was sent. Ask an administrator to fix this.';
  if (responseCode !== undefined && isForNow(responseCode)) return `The mail server asks us to wait (${responseCode}).`;
  if (responseCode !== undefined && command === 'RCPT TO')
    return `The mail server refuses this address (${responseCode}). Check it in the profile, or call.`;
  if (responseCode !== undefined) return `The mail server refuses the message (${responseCode}).`;
  if (code === 'ETIMEDOUT' || name === 'AbortError') return 'The mail server stopped replying.';
  return 'The mail server cannot be reached, or ended the connection.';
}

/** Whether the server's reply means that a later attempt may succeed. */
const isForNow = (responseCode: number | undefined): boolean =>
  responseCode !== undefined && responseCode >= 400 && responseCode < 500;
