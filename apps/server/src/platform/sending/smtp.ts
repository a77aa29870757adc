import { connect as connectPlain, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { isLoopback } from '../../config.ts';

/** An email of plain text, in ASCII. */
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
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+$/;

/**
 * Hands an email to the mail server of `smtp://user:password@host:587` or `smtps://…:465`; resolves once the server has
 * taken responsibility for it (250 after the data). Anywhere but on this machine the connection is encrypted and the
 * server's certificate is checked; otherwise nothing is sent, above all no password.
 */
export async function sendEmail(url: string, email: Email): Promise<void> {
  for (const address of [email.from, email.to])
    if (!ADDRESS.test(address)) throw new MailError('The address cannot be written in an email.');
  const server = new URL(url);
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const secure = server.protocol === 'smtps:';
  const port = server.port === '' ? (secure ? 465 : 587) : Number(server.port);
  const plain = secure ? connectTls({ host, port, servername: host }) : connectPlain({ host, port });
  let talk = new Conversation(plain);
  try {
    await talk.expect(220);
    let offers = await talk.greet();
    if (!secure && offers.has('STARTTLS')) {
      await talk.say('STARTTLS', 220);
      talk = new Conversation(connectTls({ socket: talk.release(), servername: host }));
      offers = await talk.greet();
    } else if (!secure && !isLoopback(host)) throw new MailError('The mail server does not offer encryption.');
    if (server.username !== '') {
      const login = `\0${decodeURIComponent(server.username)}\0${decodeURIComponent(server.password)}`;
      await talk.say(`AUTH PLAIN ${Buffer.from(login).toString('base64')}`, 235);
    }
    await talk.say(`MAIL FROM:<${email.from}>`, 250);
    await talk.say(`RCPT TO:<${email.to}>`, 250);
    await talk.say('DATA', 354);
    await talk.say(`${contentOf(email)}\r\n.`, 250);
    talk.end();
  } catch (error) {
    talk.end();
    throw error instanceof MailError ? error : new MailError('The mail server cannot be reached.');
  }
}

function contentOf({ id, from, to, subject, text }: Email): string {
  const domain = from.slice(from.indexOf('@') + 1);
  const lines = [
    `From: <${from}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${domain}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    ...text.split('\n'),
  ];
  // Anything else could end a header or the message.
  return lines.map((line) => line.replace(/[^\x20-\x7e]/g, '?').replace(/^\./, '..')).join('\r\n');
}

/** One connection: sends a line, waits for the reply, and gives up on a server that does not answer in time. */
class Conversation {
  readonly #socket: Socket;
  #text = '';
  #wake: () => void = () => {};
  #ended: Error | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new MailError('The mail server did not reply in time.')));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      this.#text += String(chunk);
      if (this.#text.length > 65_536) socket.destroy(new MailError('The mail server’s reply is too long.'));
      this.#wake();
    });
    const end = (error?: Error): void => {
      this.#ended ??= error ?? new MailError('The mail server closed the connection.');
      this.#wake();
    };
    socket.on('error', end);
    socket.on('close', () => end());
  }

  /** A whole reply with this code; its lines. */
  async expect(code: number): Promise<string[]> {
    for (;;) {
      const reply = /^((?:\d{3}-[^\n]*\n)*)(\d{3})(?: [^\n]*)?\r?\n/.exec(this.#text);
      if (reply) {
        this.#text = this.#text.slice(reply[0].length);
        if (Number(reply[2]) !== code) throw new MailError(`The mail server said ${reply[2]}.`);
        return reply[0].trimEnd().split(/\r?\n/);
      }
      if (this.#ended) throw this.#ended;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  say(line: string, code: number): Promise<string[]> {
    this.#socket.write(`${line}\r\n`);
    return this.expect(code);
  }

  /** What the server offers, by its first word. */
  async greet(): Promise<Set<string>> {
    const lines = await this.say(`EHLO ${hostname().replace(/[^\w.-]/g, '-')}`, 250);
    return new Set(lines.map((line) => line.slice(4).split(' ', 1)[0]?.toUpperCase() ?? ''));
  }

  /** The socket, for encryption; this conversation is over. What was received in plain text is dropped. */
  release(): Socket {
    this.#socket.removeAllListeners();
    this.#socket.setTimeout(0);
    return this.#socket;
  }

  end(): void {
    this.#socket.end('QUIT\r\n');
    this.#socket.destroySoon();
  }
}
