// npm run migrate: brings the database up to date without starting a server. Servers do the same when they start.
import { loadConfig } from '../config.ts';
import { StartError } from '../start-error.ts';
import { openStore } from '../platform/store.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (args) => {
  if (args.length > 0) throw new StartError('Usage: npm run migrate');
  const store = await openStore(loadConfig(process.env), {
    name: 'clinic-migrate',
    creates: true,
    connections: 1,
    progress: (line) => console.error(line),
  });
  console.error(`Database: ${store.where}`);
  await store.close();
  console.log('The database is up to date.');
});
