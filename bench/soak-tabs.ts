import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A window of a browser that is used as a person would: with real clicks and keys. */
export interface Tab {
  open(url: string): Promise<void>;
  /** Runs an expression in the page; its value must be JSON. */
  run(expression: string): Promise<unknown>;
  click(at: { x: number; y: number }): Promise<void>;
  type(text: string): Promise<void>;
}

const SIZE = { width: 1440, height: 900 };
/** Where Debian puts WebKit's smallest browser. */
const MINI_BROWSER = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;

const click = ({ x, y }: { x: number; y: number }) => [
  {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0, origin: 'viewport' },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
];
const keys = (text: string) => [
  {
    type: 'key',
    id: 'keyboard',
    actions: [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  },
];

const started: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), 'clinic-tabs-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, ...env },
  });
  started.push(child);
  return child;
}

/** Ends the browsers. */
export async function closeTabs(): Promise<void> {
  const running = started.splice(0).filter(({ exitCode }) => exitCode === null);
  await Promise.all(running.map((child) => (child.kill(), once(child, 'close'))));
}

/** The first line of a program's output that matches. */
async function line(child: ChildProcess, pattern: RegExp): Promise<string> {
  const input = child.stderr;
  if (!input) throw new Error('the program has no output');
  for await (const text of createInterface({ input })) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`the program ended without ${pattern}`);
}

/** Firefox as Debian ships it (`firefox-esr`), by WebDriver BiDi. */
export async function openFirefox(): Promise<Tab> {
  const child = start('firefox-esr', ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', folder]);
  const socket = new WebSocket(`${await line(child, /WebDriver BiDi listening on (ws:\S+)/)}/session`);
  await once(socket, 'open');
  interface Reply {
    id?: number;
    result?: Record<string, unknown>;
    error?: string;
    message?: string;
  }
  const waiting: ((reply: Reply) => void)[] = [];
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const reply = JSON.parse(data) as Reply;
    if (reply.id !== undefined) waiting[reply.id]?.(reply);
  });
  const send = (method: string, params: object): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const id = waiting.push(({ result, error, message }) =>
        result ? resolve(result) : reject(new Error(`${error}: ${message}`)),
      );
      socket.send(JSON.stringify({ id: id - 1, method, params }));
    });
  await send('session.new', { capabilities: {} });
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: [{ context: string }] };
  const { context } = contexts[0];
  await send('browsingContext.setViewport', { context, viewport: SIZE });
  return {
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async run(expression) {
      const reply = await send('script.evaluate', {
        expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
        target: { context },
        awaitPromise: true,
      });
      const { result, exceptionDetails } = reply as { result?: { value: string }; exceptionDetails?: { text: string } };
      if (!result) throw new Error(exceptionDetails?.text);
      return JSON.parse(result.value) as unknown;
    },
    click: async (at) => void (await send('input.performActions', { context, actions: click(at) })),
    type: async (text) => void (await send('input.performActions', { context, actions: keys(text) })),
  };
}

/** WebKit as Debian ships it (`webkit2gtk-driver`), by WebDriver, on a display of its own (`xvfb`). */
export async function openWebKit(): Promise<Tab> {
  const display = start('Xvfb', ['-displayfd', '2', '-screen', '0', '1600x1000x24']);
  const port = 20_000 + (process.pid % 20_000);
  start('WebKitWebDriver', [`--port=${port}`], { DISPLAY: `:${await line(display, /^(\d+)$/)}` });
  const send = async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { value } = (await reply.json()) as { value: { message?: string } | null };
    if (!reply.ok) throw new Error(value?.message);
    return value;
  };
  await ready(() => send('GET', '/status'));
  const options = { 'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] } };
  const { sessionId } = (await send('POST', '/session', { capabilities: { alwaysMatch: options } })) as {
    sessionId: string;
  };
  const session = `/session/${sessionId}`;
  await send('POST', `${session}/window/rect`, SIZE);
  return {
    open: async (url) => void (await send('POST', `${session}/url`, { url })),
    run: (expression) =>
      send('POST', `${session}/execute/async`, {
        script: `const done = arguments[0]; Promise.resolve(${expression}).then(done, () => done(null))`,
        args: [],
      }),
    click: async (at) => void (await send('POST', `${session}/actions`, { actions: click(at) })),
    type: async (text) => void (await send('POST', `${session}/actions`, { actions: keys(text) })),
  };
}

/** Tries again until it works, for at most ten seconds. */
async function ready(attempt: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Whether a program is installed. */
export const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0;
