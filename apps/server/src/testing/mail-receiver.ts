import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A mail as it was received. */
export interface Received {
  readonly id: string;
  readonly to: string;
  readonly content: string;
}

/** A mail server of the tests: speaks SMTP on a socket of this machine, and keeps what it accepted. */
export interface MailReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** What to do with the next mails: accept, refuse, or take the mail and die before the acknowledgement. */
  mood: 'accept' | 'refuse' | 'die-after-data';
  close(): Promise<void>;
}

export async function openMailReceiver(): Promise<MailReceiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const state = { mood: 'accept' as MailReceiver['mood'] };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    talk(socket, state, received);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
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

function talk(socket: Socket, state: { mood: MailReceiver['mood'] }, received: Received[]): void {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  let text = '';
  let data = false;
  let to = '';
  const onLine = (line: string): void => {
    if (/^EHLO /.test(line)) say('250-receiver\r\n250 8BITMIME');
    else if (/^MAIL FROM:/.test(line)) say('250 ok');
    else if (/^RCPT TO:/.test(line)) {
      to = /<(.*)>/.exec(line)?.[1] ?? '';
      say(state.mood === 'refuse' ? '550 no such mailbox' : '250 ok');
    } else if (line === 'DATA') {
      data = true;
      say('354 go on');
    } else if (line === 'QUIT') socket.end('221 bye\r\n');
    else say('500 what');
  };
  const onData = (sent: string): void => {
    const content = decoded(sent);
    received.push({ id: /^Message-ID: <([^@]+)@/m.exec(content)?.[1] ?? '', to, content });
    if (state.mood === 'die-after-data') socket.destroy();
    else say('250 taken');
  };
  say('220 receiver');
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (;;) {
      const end = data ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
      if (end < 0) return;
      const part = text.slice(0, end);
      text = text.slice(end + (data ? 5 : 2));
      if (data) {
        data = false;
        onData(part);
      } else onLine(part);
    }
  });
}

/** The mail with its text as a reader sees it. */
function decoded(sent: string): string {
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(sent)) return sent;
  const bytes = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
  return sent.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, bytes);
}
