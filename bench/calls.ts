/**
 * Measures the call list in a real browser on a real server: commits cover for a day on which many therapists are away,
 * opens the list right afterwards, and then opens the same page for the next day, which has no lines. Prints as
 * Markdown how soon the lines are painted, how soon every line with a request has its plan B, and how much processor
 * time plan B takes. `npm run bench -- calls [--quick]`
 */
import { readFileSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions } from '@playwright/test';
import type { CallsReply, LinePlanB, ProposalReply } from '@clinic/contract';
import { addDays, type IsoDate, type Location } from '@clinic/domain';
import { everyone, submitBody } from '../apps/server/src/testing/calls.ts';
import { browserOptions } from '../e2e/fixtures/browser.ts';
import { startServer } from '../e2e/fixtures/server.ts';
import { signIn } from '../e2e/fixtures/test.ts';
import { Api } from '../e2e/fixtures/api.ts';
import { VIEWPORT } from './calendar-page.ts';
import { AS_DELIVERED, machine, milliseconds, spread, spreadText, table } from './figures.ts';

const BARS = { list: 150, plansB: 1000, lines: 40 };
const LOCATION: Location = 'tampa';
/**
 * How many of the 42 therapists are away, and how many sessions are cancelled by hand. Together, the absences and
 * cancellations make more than 40 lines.
 */
const AWAY = 10;
const CANCELLED = 12;
/** The milliseconds in one tick of Linux's processor times. */
const TICK_MS = 10;

/** When parts of the page were painted, in milliseconds since the page began to open. */
interface Painted {
  lines?: number;
  empty?: number;
  plansB?: number;
}
declare global {
  var callMarks: Painted;
}

/** Runs in the page: records when the frame that first shows each part is finished. */
function injected(): void {
  const marks: Painted = {};
  globalThis.callMarks = marks;
  const wanted: [keyof Painted, string][] = [
    ['lines', 'ol[aria-label="Calls to make"] > li'],
    ['empty', '[aria-label="People to tell"] [class*="_empty_"]'],
    ['plansB', '[class*="_planB_"]'],
  ];
  const seen = new Set<string>();
  new MutationObserver(() => {
    for (const [part, selector] of wanted) {
      if (seen.has(part) || !document.querySelector(selector)) continue;
      seen.add(part);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => void (marks[part] = performance.now());
      requestAnimationFrame(() => port2.postMessage(null));
    }
  }).observe(document, { childList: true, subtree: true });
}

/** Opens the call list in a new page; returns the times at which its parts were painted. */
async function open(
  browser: Browser,
  session: BrowserContextOptions,
  date: IsoDate,
  until: keyof Painted,
): Promise<Painted> {
  const context = await browser.newContext({ ...VIEWPORT, ...session });
  await context.addInitScript(injected);
  const page = await context.newPage();
  await page.goto(`/calls?location=${LOCATION}&date=${date}`);
  await page.waitForFunction((part) => globalThis.callMarks[part] !== undefined, until, { timeout: 120_000 });
  const marks = await page.evaluate(() => globalThis.callMarks);
  await context.close();
  return marks;
}

/** The processor time of a process and all its threads so far, in milliseconds; NaN except on Linux. */
function processorTime(pid: number | undefined): number {
  try {
    // The name in the second field may have spaces; the times are the 12th and 13th fields after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

interface Run {
  readonly lines: number;
  readonly asks: number;
  readonly list: number;
  readonly empty: number;
  readonly plansB: number;
  /**
   * The time for a request that asks only for plan B, and the processor time that the server uses for it. No one has
   * opened this version of the day before.
   */
  readonly alone: { readonly ms: number; readonly processor: number };
}

/**
 * Cancels sessions by hand, one for each of several clients that the plan does not affect, on a date that already has a
 * call list.
 */
async function cancelSome(api: Api, date: IsoDate): Promise<void> {
  const { appointments } = await api.slots(date, LOCATION);
  const direct = appointments.filter((a) => a.service === 'direct' && !a.group);
  const touched = new Set(direct.filter((a) => a.needs_cover).map((a) => a['Client Name']));
  const keys = new Map(direct.map((a) => [a['Client Name'], a.key] as const));
  const clients = [...keys.keys()].filter((name) => !touched.has(name)).sort();
  for (const client of clients.slice(0, CANCELLED)) {
    const { status, body } = await api.send('POST', `/appointments/${keys.get(client)}/cancel`, {});
    if (status !== 200) throw new Error(`cancelling: ${status} ${JSON.stringify(body)}`);
  }
}

class Morning {
  private readonly api: Api;
  private readonly date: IsoDate;
  private readonly pid: number | undefined;

  constructor(api: Api, date: IsoDate, pid: number | undefined) {
    this.api = api;
    this.date = date;
    this.pid = pid;
  }

  /** Commits Option 1 for everyone; returns a function that undoes the commit. */
  async submit(): Promise<() => Promise<void>> {
    const body = { location: LOCATION, dates: [this.date] };
    const proposal = await this.send<ProposalReply>('/proposals', body);
    const { commit } = await this.send<{ commit: string }>('/actions', submitBody(proposal, everyone(proposal)));
    return async () => void (await this.send(`/commits/${commit}/undo`));
  }

  async run(browser: Browser, session: BrowserContextOptions): Promise<Run> {
    const query = `location=${LOCATION}&date=${this.date}`;
    const undo = await this.submit();
    const { lines: list = Number.NaN, plansB = Number.NaN } = await open(browser, session, this.date, 'plansB');
    const { lines } = await this.api.get<CallsReply>(`/calls?${query}`);
    const asks = lines.filter((line) => line.call === 'ask').length;
    await undo();
    const { empty = Number.NaN } = await open(browser, session, addDays(this.date, 1), 'empty');

    const undoAgain = await this.submit();
    const [began, used] = [performance.now(), processorTime(this.pid)];
    const { plans } = await this.api.get<{ plans: LinePlanB[] }>(`/calls/plan-b?${query}`);
    const alone = { ms: performance.now() - began, processor: processorTime(this.pid) - used };
    if (plans.length !== asks) throw new Error(`${plans.length} of ${asks} lines with a request have a plan B`);
    await undoAgain();
    return { lines: lines.length, asks, list, empty, plansB, alone };
  }

  private async send<T>(path: string, data?: object): Promise<T> {
    const { status, body } = await this.api.send<T>('POST', path, data);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
}

/** Measures and prints; true when the targets are met. `--quick`: three simulated mornings. */
export async function benchCalls(flags: readonly string[]): Promise<boolean> {
  const mornings = flags.includes('--quick') ? 3 : 9;
  const server = await startServer(AS_DELIVERED);
  const browser = await chromium.launch(browserOptions());
  try {
    const context = await browser.newContext({
      ...VIEWPORT,
      baseURL: server.url,
      extraHTTPHeaders: { accept: 'application/json' },
    });
    const page = await context.newPage();
    await signIn(page);
    const session = { baseURL: server.url, storageState: await context.storageState() };
    const api = await Api.signIn(context.request);
    const date = addDays(await api.today(), 9);
    await api.callOut(date, LOCATION, AWAY);
    const morning = new Morning(api, date, server.process.pid);
    // The first commit opens the date's call list, so that later cancellations add lines to it.
    await (
      await morning.submit()
    )();
    await cancelSome(api, date);
    const runs: Run[] = [];
    // The first morning warms up the server and the browser, and does not count.
    for (let n = 0; n <= mornings; n++) {
      const run = await morning.run(browser, session);
      if (n > 0) runs.push(run);
    }
    return print(runs);
  } finally {
    await browser.close();
    await server.stop();
  }
}

function print(runs: readonly Run[]): boolean {
  const of = (pick: (run: Run) => number) => spread(runs.map(pick));
  const lines = Math.min(...runs.map((run) => run.lines));
  const asks = [...new Set(runs.map((run) => run.asks))].join(' or ');
  const more = of((run) => run.list).median - of((run) => run.empty).median;
  const factor = of((run) => run.list).median / of((run) => run.empty).median;
  const plansB = of((run) => run.plansB);
  const held = { lines: lines >= BARS.lines, more: more <= BARS.list, plansB: plansB.median <= BARS.plansB };
  const say = (yes: boolean): string => (yes ? 'yes' : 'no');
  console.log(
    `## Call list\n\n${machine()}. ${runs.length} mornings, ${lines} lines or more, ${asks} of them with a request.\n`,
  );
  console.log(
    table(
      ['From the opening, right after the commit', 'ms: median / 95 % / worst', 'At most', 'Met'],
      [
        ['the same page without lines', spreadText(of((run) => run.empty)), '', ''],
        ['the list painted', spreadText(of((run) => run.list)), '', ''],
        ['the list ÷ the page without lines', factor.toFixed(2), '', ''],
        ['the list − the page without lines', milliseconds(more), String(BARS.list), say(held.more && held.lines)],
        ['a plan B in every line with a request', spreadText(plansB), String(BARS.plansB), say(held.plansB)],
        ['only the requests for plan B', spreadText(of((run) => run.alone.ms)), '', ''],
        ['their processor time, all threads', spreadText(of((run) => run.alone.processor)), '', ''],
      ],
    ),
  );
  return held.lines && held.more && held.plansB;
}
