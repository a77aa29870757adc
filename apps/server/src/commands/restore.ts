// npm run restore -- FILE [--replace]
import { resolve } from 'node:path';
import { loadConfig } from '../config.ts';
import { totalRows } from '../db/backup/format.ts';
import { checkBackup, restore } from '../db/backup/restore.ts';
import { StartError } from '../platform/start-error.ts';
import { openStore } from '../platform/store.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (args) => {
  const replace = args.includes('--replace');
  const [file, ...rest] = args.filter((a) => a !== '--replace');
  if (file === undefined || file.startsWith('-') || rest.length > 0)
    throw new StartError('Usage: npm run restore -- FILE [--replace]');
  await checkBackup(resolve(file)); // before any database is started
  const store = await openStore(loadConfig(process.env), {
    name: 'clinic-restore',
    connections: 2,
    progress: (line) => console.error(line),
  });
  try {
    const { rows, madeAt } = await restore(store.pool, resolve(file), { replace });
    console.log(
      `Restored ${totalRows(rows)} rows of ${Object.keys(rows).length} tables, as of ${madeAt}. Restart the servers that use this database.`,
    );
  } finally {
    await store.close();
  }
});
