import { createTransport } from 'nodemailer';
import { isLoopback } from '../../config.ts';

/** An email of plain text. */
interface Email {
  /** The part of the Message-ID before the @; the same at every try. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Why an email was not accepted, without an address or a name in it. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

const PATIENCE_MS = 15_000;

/**
 * Hands an email to the mail server of `smtp://user:password@host:587` or `smtps://…:465`; resolves once the server has
 * taken responsibility for it (250 after the data). Anywhere but on this machine the connection is encrypted and the
 * server's certificate is checked; otherwise nothing is sent, above all no password.
 */
export async function sendEmail(url: string, { id, from, to, subject, text }: Email): Promise<void> {
  const server = new URL(url);
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const [user, pass] = [decodeURIComponent(server.username), decodeURIComponent(server.password)];
  const transport = createTransport({
    host,
    ...(server.port === '' ? {} : { port: Number(server.port) }),
    secure: server.protocol === 'smtps:',
    requireTLS: !isLoopback(host),
    ...(user === '' ? {} : { auth: { user, pass } }),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  });
  try {
    await transport.sendMail({
      envelope: { from, to: [to] }, // one address, whatever it looks like
      from: { name: '', address: from },
      to: { name: '', address: to },
      subject,
      text,
      messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  } catch (error) {
    throw new MailError(wordsFor(error));
  } finally {
    transport.close();
  }
}

/** The library's own messages quote the server's reply, which may hold the address. */
function wordsFor(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (code === 'EAUTH') return 'The mail server does not accept the user and password of SMTP_URL.';
  if (code === 'ETLS') return 'The mail server does not offer an encrypted connection that can be trusted.';
  if (responseCode !== undefined) return `The mail server said ${responseCode}.`;
  return 'The mail server cannot be reached, or stopped replying.';
}
