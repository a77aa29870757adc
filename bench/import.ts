/**
 * Measures how long other requests take during a large import, on one server process with its own PostgreSQL. The
 * import first checks 20 MB of appointments (dry run) and then saves them. Meanwhile, three API clients send one
 * request after another: the first requests `/healthz`, the second reads a day, and the third books sessions. `npm run
 * bench -- import [--quick]`: with `--quick`, a tenth of the rows.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { request, type APIRequestContext } from '@playwright/test';
import type { ImportSummary } from '@clinic/contract';
import { addDays, type IsoDate } from '@clinic/domain';
import { startServer } from '../e2e/fixtures/server.ts';
import { DEMO } from '../e2e/fixtures/test.ts';
import { Api } from '../e2e/fixtures/api.ts';
import { machine, milliseconds, spread, spreadText, table } from './figures.ts';

/** The size of the file in megabytes, and how many rows it has for each date. */
const MEGABYTES = 20;
const ROWS_A_DATE = 150;
/** The targets, in milliseconds: for 95 of 100 requests for `/healthz`, and for every booking. */
const AIM = { healthz: 100, booking: 2000 };
/** The pause between two requests of the same kind. */
const PAUSE_MS = 20;

const HEADER = 'Id,StartDateTime,EndDateTime,Subject,Preferred_Provider_Name,Appointment_Status,Client Name,Location';

/** Parent training sessions for one client, without a therapist: as many as `megabytes` of CSV can hold. */
function appointments(client: string, from: IsoDate, megabytes: number): { csv: Buffer; rows: number } {
  const lines = [HEADER];
  let size = 0;
  for (let n = 0; ; n++) {
    const [year, month, day] = addDays(from, Math.floor(n / ROWS_A_DATE)).split('-');
    const at = `${month}/${day}/${year}`;
    const line = `BIG-${n},"${at}, 1:00 PM","${at}, 2:00 PM",Parent Training ${n},,Confirmed,${client},Altamonte`;
    size += line.length + 1;
    if (size > megabytes * 1024 * 1024 - HEADER.length - 2) return { csv: Buffer.from(lines.join('\n')), rows: n };
    lines.push(line);
  }
}

/** Sends the file; returns the result and how many milliseconds it took. */
async function send(context: APIRequestContext, token: string, csv: Buffer, dryRun: boolean) {
  const started = performance.now();
  const reply = await context.post(`/api/imports?dry_run=${dryRun}`, {
    headers: { Authorization: `Bearer ${token}` },
    multipart: { appointments: { name: 'appointments.csv', mimeType: 'text/csv', buffer: csv } },
    timeout: 1_800_000,
  });
  if (!reply.ok())
    throw new Error(`the import returned status ${reply.status()}: ${(await reply.text()).slice(0, 300)}`);
  return { summary: (await reply.json()) as ImportSummary, took: performance.now() - started };
}

/** Repeats a request until the import is done; returns how many milliseconds each request took. */
async function during(work: Promise<unknown>, once: (n: number) => Promise<void>): Promise<number[]> {
  let going = true;
  const stop = (): void => void (going = false);
  void work.then(stop, stop);
  const took: number[] = [];
  for (let n = 0; going; n++) {
    const started = performance.now();
    await once(n);
    took.push(performance.now() - started);
    await delay(PAUSE_MS);
  }
  return took;
}

/** Runs everything and prints; true if the targets are met. */
export async function benchImport(flags: readonly string[]): Promise<boolean> {
  const server = await startServer();
  const context = await request.newContext({ baseURL: server.url });
  try {
    const form = { username: DEMO.admin.email, password: DEMO.admin.password };
    const { access_token: token } = (await (await context.post('/api/token', { form })).json()) as {
      access_token: string;
    };
    const staff = await Api.signIn(context);
    const today = await staff.today();
    const [first, second] = (await staff.slots(today, 'altamonte')).people.filter(({ type }) => type === 'client');
    if (!first || !second) throw new Error('the demo clinic has no clients');
    // The demo clinic has nothing booked from this date on.
    const from = addDays(today, 35);
    const { csv, rows } = appointments(first.name, from, flags.includes('--quick') ? MEGABYTES / 10 : MEGABYTES);
    const lines: string[][] = [];
    let held = true;
    let booked = 0;
    for (const dryRun of [true, false]) {
      const importing = send(context, token, csv, dryRun);
      const [healthz, reads, bookings] = await Promise.all([
        during(importing, async () => {
          const reply = await context.get('/healthz');
          if (!reply.ok()) throw new Error(`/healthz returned status ${reply.status()}`);
        }),
        during(importing, async () => void (await staff.slots(today, 'altamonte'))),
        during(importing, async () => {
          const { status, body } = await staff.send('POST', '/appointments', booking(second.name, from, booked++));
          if (status !== 201) throw new Error(`a booking returned status ${status}: ${JSON.stringify(body)}`);
        }),
      ]);
      const { summary, took } = await importing;
      const taken = summary.files[0]?.new ?? 0;
      if (taken !== rows) throw new Error(`${taken} of ${rows} rows are new`);
      held &&= spread(healthz).p95 <= AIM.healthz && spread(bookings).worst <= AIM.booking;
      const name = dryRun ? 'checked (dry run)' : 'imported';
      lines.push([name, milliseconds(took), ...[healthz, reads, bookings].map((each) => spreadText(spread(each)))]);
    }
    console.log(`## A large import, and how long others wait\n\n${machine()}.`);
    console.log(`${(csv.length / 2 ** 20).toFixed(1)} MB, ${rows.toLocaleString('en-US')} rows.\n`);
    console.log(
      table(
        [
          'The import',
          'time, ms',
          `/healthz (95 %: at most ${AIM.healthz})`,
          'reading a day',
          `a booking (worst: at most ${AIM.booking})`,
        ],
        lines,
      ),
    );
    console.log('\nMilliseconds: median / 95 % / worst.');
    return held;
  } finally {
    await context.dispose();
    await server.stop();
  }
}

/**
 * A session without a therapist for this client. Each `n` gets a different hour or day, so that the bookings never
 * overlap.
 */
function booking(client: string, from: IsoDate, n: number): object {
  const hour = 8 + (n % 9);
  const time = (h: number): string => `${String(h).padStart(2, '0')}:00`;
  const date = addDays(from, Math.floor(n / 9));
  return {
    location: 'altamonte',
    client,
    therapist: 'Unassigned',
    subject: 'Parent Training',
    date,
    start: time(hour),
    end: time(hour + 1),
    // The client's authorization may have expired by then.
    anyway: true,
  };
}
