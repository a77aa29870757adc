import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

/** An email as it was received. */
export interface Received {
  readonly id: string;
  readonly to: string;
  readonly content: string;
  /** Whether the connection was encrypted, and the user who had logged in. */
  readonly encrypted: boolean;
  readonly user: string | null;
}

/**
 * How the receiver treats the next emails: it accepts them, refuses the address (550), asks to wait (451), takes an
 * email and then dies or goes silent before confirming it, stays silent from the start, or slowly sends a reply that
 * never ends.
 */
type Mood = 'accept' | 'refuse' | 'wait' | 'die-after-data' | 'hang-after-data' | 'hang' | 'drip';

/** A mail server for tests. It speaks SMTP on a local socket, and keeps the emails that it accepted. */
export interface MailReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** All lines that clients sent before their connection was encrypted. */
  readonly heardInClear: readonly string[];
  mood: Mood;
  close(): Promise<void>;
}

interface MailReceiverOptions {
  readonly port?: number;
  /** The key and certificate for offering STARTTLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Whether connections are encrypted from the first byte, as for `smtps:`. */
  readonly tlsFirst?: boolean;
  /** The login that the receiver requires. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Called for each email before it is confirmed. */
  onMail?(mail: Received): Promise<void>;
}

export async function openMailReceiver(options: MailReceiverOptions = {}): Promise<MailReceiver> {
  const received: Received[] = [];
  const heardInClear: string[] = [];
  const sockets = new Set<Socket>();
  const state = { mood: 'accept' as Mood };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    if (state.mood === 'hang') return;
    const talk = new Talk(options, state, received, heardInClear);
    if (options.tlsFirst) talk.encrypt(socket);
    else talk.listen(socket);
    talk.say('220 receiver');
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    heardInClear,
    get mood() {
      return state.mood;
    },
    set mood(mood) {
      state.mood = mood;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A connection from one client. */
class Talk {
  readonly #options: MailReceiverOptions;
  readonly #state: { readonly mood: Mood };
  readonly #received: Received[];
  readonly #heardInClear: string[];
  #socket: Socket | undefined;
  #text = '';
  #inData = false;
  #to = '';
  #encrypted = false;
  #user: string | null = null;

  constructor(
    options: MailReceiverOptions,
    state: { readonly mood: Mood },
    received: Received[],
    heardInClear: string[],
  ) {
    this.#options = options;
    this.#state = state;
    this.#received = received;
    this.#heardInClear = heardInClear;
  }

  say(line: string): void {
    this.#socket?.write(`${line}\r\n`);
  }

  listen(socket: Socket): void {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      if (socket === this.#socket) this.#hear(chunk.toString('latin1'));
    });
  }

  encrypt(socket: Socket): void {
    const { tls } = this.#options;
    const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) });
    secure.on('error', () => {});
    this.#encrypted = true;
    this.listen(secure);
  }

  #hear(chunk: string): void {
    this.#text += chunk;
    for (;;) {
      const end = this.#inData ? this.#text.indexOf('\r\n.\r\n') : this.#text.indexOf('\r\n');
      if (end < 0) return;
      const part = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + (this.#inData ? 5 : 2));
      if (this.#inData) {
        this.#inData = false;
        void this.#onMail(part);
      } else this.#onLine(part);
    }
  }

  #onLine(line: string): void {
    const { tls, login } = this.#options;
    if (!this.#encrypted) this.#heardInClear.push(line);
    if (this.#state.mood === 'drip') this.#drip();
    else if (/^EHLO /.test(line)) {
      const offers = ['receiver', ...(tls && !this.#encrypted ? ['STARTTLS'] : []), ...(login ? ['AUTH PLAIN'] : [])];
      this.say([...offers.map((offer) => `250-${offer}`), '250 8BITMIME'].join('\r\n'));
    } else if (line === 'STARTTLS' && tls && this.#socket) {
      const socket = this.#socket;
      this.say('220 go on');
      this.encrypt(socket);
    } else if (/^AUTH PLAIN /.test(line)) this.#onLogin(line);
    else if (/^MAIL FROM:/.test(line)) this.say(login && this.#user === null ? '530 log in first' : '250 ok');
    else if (/^RCPT TO:/.test(line)) {
      this.#to = /<(.*)>/.exec(line)?.[1] ?? '';
      const replies: Partial<Record<Mood, string>> = { refuse: '550 no such mailbox', wait: '451 later' };
      this.say(replies[this.#state.mood] ?? '250 ok');
    } else if (line === 'DATA') {
      this.#inData = true;
      this.say('354 go on');
    } else if (line === 'QUIT') this.#socket?.end('221 bye\r\n');
    else this.say('500 what');
  }

  #onLogin(line: string): void {
    const { login } = this.#options;
    const [, user = '', password] = Buffer.from(line.slice('AUTH PLAIN '.length), 'base64').toString().split('\0');
    const right = user === login?.user && password === login.password;
    if (right) this.#user = user;
    this.say(right ? '235 welcome' : `535 not ${user}`);
  }

  async #onMail(sent: string): Promise<void> {
    const content = decoded(sent.replace(/^\./gm, '')); // a dot that begins a line is sent twice (RFC 5321, 4.5.2)
    const id = /^Message-ID: <([^@]+)@/m.exec(content)?.[1] ?? '';
    const mail: Received = { id, to: this.#to, content, encrypted: this.#encrypted, user: this.#user };
    this.#received.push(mail);
    await this.#options.onMail?.(mail);
    if (this.#state.mood === 'die-after-data') this.#socket?.destroy();
    else if (this.#state.mood !== 'hang-after-data') this.say('250 taken');
  }

  #drip(): void {
    const dripping = setInterval(() => this.say('250-more to come'), 100);
    this.#socket?.once('close', () => clearInterval(dripping));
  }
}

/** Returns an email with its text decoded. */
function decoded(sent: string): string {
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(sent)) return sent;
  const bytes = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
  return sent.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, bytes);
}
