// npm run backup -- FILE
import { loadConfig } from '../config.ts';
import { backUp } from '../db/backup/backup.ts';
import { totalRows } from '../db/backup/format.ts';
import { StartError } from '../start-error.ts';
import { openStore } from '../platform/store.ts';
import { counted, fileGiven, runCommand } from './run-command.ts';

await runCommand(async (args) => {
  const [file, ...rest] = args;
  if (file === undefined || file.startsWith('-') || rest.length > 0)
    throw new StartError('Usage: npm run backup -- FILE');
  const store = await openStore(loadConfig(process.env), {
    name: 'clinic-backup',
    connections: 2,
    statementTimeoutMs: 0,
    progress: (line) => console.error(line),
  });
  try {
    const { rows } = await backUp(store.pool, fileGiven(file), new Date());
    console.log(
      `Backed up ${counted(totalRows(rows), 'row')} of ${counted(Object.keys(rows).length, 'table')} to ${file}.`,
    );
  } finally {
    await store.close();
  }
});
