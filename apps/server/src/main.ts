import { Socket, type AddressInfo } from 'node:net';
import type { Location } from '@clinic/domain';
import { buildApp } from './app.ts';
import { loadConfig, type Config } from './config.ts';
import type { Db, OpenDatabase } from './db/connection.ts';
import { makeSeriesFurther } from './book/series-further.ts';
import { openNearDays } from './tell/calls/open-near-days.ts';
import { invitationMessages } from './admin/invitation-mail.ts';
import { dayMessages } from './tell/calls/sift.ts';
import { canAnyoneLogIn } from './session/session.queries.ts';
import { prepareDemo } from './access/demo.ts';
import type { App, Deps } from './access/deps.ts';
import { drain } from './http/drain.ts';
import { describeError } from './http/logger.ts';
import { cleanUp } from './platform/jobs/clean-up.ts';
import { isoAt } from './platform/clock.ts';
import { startJobs, type Job } from './platform/jobs/jobs.ts';
import { makeFolderImport } from './import/folder/folder-import.ts';
import { ImportProcesses } from './import/import-processes.ts';
import { extendLeaves } from './weeks/leave/extend.ts';
import { makeDeps } from './access/runtime.ts';
import { codeOf, reasonOf, StartError } from './start-error.ts';
import { cleanRecords } from './records/clean-records.ts';
import { startDelivering } from './records/webhooks/deliver.ts';
import { startSending } from './platform/sending/outbox.ts';
import { makeSender } from './platform/sending/sender.ts';
import { openStore } from './platform/store.ts';
import { VERSION } from './platform/version.ts';

const JOBS_AFTER_MS = 5000;
const SENDING_EVERY_MS = 2000;
/**
 * How often the sending job runs if there is no mail server or gateway. The job then only makes sure that waiting
 * messages eventually fail and are shown as failed.
 */
const NOT_SENDING_EVERY_MS = 3_600_000;
/** How often the server looks for changes that other programs are told of. */
const DELIVERING_EVERY_MS = 2000;
const STOP_PATIENCE_MS = 10_000;
/** The part of the time limit for stopping that is reserved for closing the database. */
const LEAVE_MS = 2000;

const progress = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  if (process.argv.length > 2)
    throw new StartError(
      `The server takes no arguments (found '${process.argv[2]}'): settings are environment variables.`,
    );
  const config = loadConfig(process.env);
  let app: App | undefined;
  const store = await openStore(config, {
    creates: true,
    connections: config.databaseConnections,
    progress,
    onTrouble: (line) => (app ? app.log.warn(line) : progress(line)),
  });
  let close = (): Promise<void> => store.close();
  try {
    await prepareDemo(config, store.db, progress);
    const deps = await makeDeps(config, store);
    const wallOf = (location: Location) => deps.wallOf(location);
    const openCalls = (): Promise<void> => openNearDays(store.db, wallOf);
    await openCalls(); // the call lists must be open before the first write
    close = async () => {
      await deps.events.close();
      await store.close();
    };
    app = await buildApp(deps);
    const url = await listen(app, config);
    const letDemoBe = keepDemoCurrent(config, store.db, app);
    const sending = app;
    const sender = makeSender(config);
    const matters = { day: dayMessages({ wallOf, publicUrl: config.publicUrl }), invitation: invitationMessages };
    const { place } = deps.servers;
    const leave = await deps.servers.begin((unequal) => reportUnequal(sending, unequal));
    const outbox = { db: store.db, sender, place, clock: deps.accessClock, matters };
    const stopSending = startSending(outbox, {
      events: deps.events,
      everyMs: sender.ways.email || sender.ways.text ? SENDING_EVERY_MS : NOT_SENDING_EVERY_MS,
      onTrouble: (error) => sending.log.warn({ err: describeError(error) }, 'messages could not be sent'),
    });
    const stopDelivering = startDelivering(
      { db: store.db, clock: deps.accessClock, seal: deps.seal },
      {
        everyMs: DELIVERING_EVERY_MS,
        onTrouble: (error) => sending.log.warn({ err: describeError(error) }, 'webhooks could not be delivered'),
      },
    );
    const stopJobs = doBackgroundWork(store, deps, app, openCalls);
    stopOnSignal(app, config, async () => {
      letDemoBe();
      leave();
      await stopSending();
      await stopDelivering();
      await stopJobs();
      await close();
    });
    app.log.info({ version: VERSION }, 'the server is ready');
    progress(`Database: ${store.where}`);
    if (!(await canAnyoneLogIn(store.db, config)))
      progress('No account exists yet. Add the first one: npm run account -- add EMAIL --role admin');
    process.stdout.write(`Scheduler is ready at ${url}\n`);
  } catch (error) {
    await close();
    throw error;
  }
}

async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} on ${host} is taken by another program: stop it, or set PORT to another number.`,
      );
    if (code === 'EACCES')
      throw new StartError(`Port ${port} on ${host} may not be used by this user: set PORT to a number above 1023.`);
    throw new StartError(`The server cannot listen on ${host}, port ${port}: ${reasonOf(error)}`);
  }
  const address = app.server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

function reportUnequal(app: App, settings: readonly string[]): void {
  if (settings.length === 0) app.log.info('the servers on this database have the same settings');
  else app.log.warn({ settings }, 'the servers on this database have different settings: make them the same');
}

/** Keeps a demo clinic up to date if the server runs past midnight. Returns a function that stops these updates. */
function keepDemoCurrent(config: Config, db: Db, app: App): () => void {
  const timer = setInterval(() => {
    prepareDemo(config, db, (line) => app.log.info(line)).catch(() =>
      app.log.warn('the demo clinic was not extended to today'),
    );
  }, 600_000);
  return () => clearInterval(timer);
}

/**
 * Starts the periodic jobs; only one of the servers on this database runs them at a time. Returns a function that stops
 * the jobs.
 */
function doBackgroundWork(
  store: OpenDatabase,
  { accessClock, config, seal, wallOf }: Deps,
  app: App,
  openCalls: () => Promise<void>,
): () => Promise<void> {
  const jobs: Job[] = [
    {
      name: 'clean-up',
      everyMs: 3_600_000,
      run: async () => app.log.info(await cleanUp(store.db, accessClock.now()), 'cleaned up'),
    },
    {
      name: 'clean-records',
      everyMs: 3_600_000,
      run: async () => app.log.info(await cleanRecords(store.db, seal, accessClock.now()), 'cleaned up records'),
    },
    { name: 'open-calls', everyMs: 600_000, run: openCalls },
    {
      name: 'series',
      everyMs: 3_600_000,
      run: async () =>
        app.log.info({ sessions: await makeSeriesFurther(store.db, wallOf, accessClock.now()) }, 'series'),
    },
    {
      name: 'extend-leaves',
      everyMs: 6 * 3_600_000,
      run: () => extendLeaves(store.db, (at) => wallOf(at).date, isoAt(accessClock.now())),
    },
  ];
  const { importFolder: folder, importAt: at, adminClientName } = config;
  if (folder !== undefined) {
    const imports = new ImportProcesses();
    const run = makeFolderImport({
      db: store.db,
      folder,
      at,
      adminClientName,
      accessClock,
      wallOf,
      run: (files, options) => imports.run(store.db, files, options),
      log: (figures, words) => app.log.info(figures, words),
    });
    jobs.push({ name: 'folder-import', everyMs: 60_000, run });
  }
  return startJobs(store.db, jobs, {
    afterMs: JOBS_AFTER_MS,
    onTrouble: (job, error) => app.log.warn({ job, err: describeError(error) }, 'background work failed'),
  });
}

/**
 * Stops the server on the first signal. SIGTERM first lets proxies stop sending requests (`drain`); the other signals
 * come from a person at the terminal. Then new requests are refused, running ones get 8 seconds, and the database
 * closes. The process ends after 10 seconds, even if the database does not reply. Further signals change nothing:
 * Ctrl-C reaches this process twice, from the terminal and from `npm start`.
 */
function stopOnSignal(app: App, { drainSeconds }: Config, closeStore: () => Promise<void>): void {
  let stopping = false;
  const stop = async (seconds: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await drain(app, seconds);
    setTimeout(() => app.server.closeAllConnections(), STOP_PATIENCE_MS - LEAVE_MS).unref();
    setTimeout(() => {
      progress('Not everything ended in time; the server stops without waiting for it.');
      process.exit(0);
    }, STOP_PATIENCE_MS);
    await app.close();
    await closeStore();
    process.exit(0);
  };
  const stopAfter = (seconds: number): void => {
    stop(seconds).catch((error: unknown) => {
      progress(`The server did not stop cleanly: ${reasonOf(error)}`);
      process.exit(1);
    });
  };
  const onSignal = (): void => stopAfter(0);
  process.on('SIGTERM', () => stopAfter(drainSeconds));
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  // `npm start` gives the server a pipe, which closes when `npm start` is killed. Without the pipe, no one could stop
  // the server then.
  const pipe = Number(process.env['SCHEDULER_PARENT_PIPE']);
  if (pipe > 2)
    new Socket({ fd: pipe })
      .on('error', () => {})
      .once('close', onSignal)
      .unref()
      .resume();
}

// An uncaught error's message may quote data, so only its type and place are logged. The process exits; the next start
// recovers.
process.on('uncaughtException', (error) => {
  progress(JSON.stringify({ level: 60, msg: 'an uncaught error stops the server', err: describeError(error) }));
  process.exit(1);
});

main().catch((error: unknown) => {
  if (error instanceof StartError) progress(error.message);
  else progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
});
