// npm run backup -- FILE
import { backUp } from '../db/backup/backup.ts';
import { totalRows } from '../db/backup/format.ts';
import { StartError } from '../start-error.ts';
import { counted, fileGiven, runCommand, withStore } from './run-command.ts';

await runCommand(async (args) => {
  const [file, ...rest] = args;
  if (file === undefined || file.startsWith('-') || rest.length > 0)
    throw new StartError('Usage: npm run backup -- FILE');
  await withStore('backup', async (store) => {
    const { rows } = await backUp(store.pool, fileGiven(file), new Date());
    console.log(
      `Backed up ${counted(totalRows(rows), 'row')} of ${counted(Object.keys(rows).length, 'table')} to ${file}.`,
    );
  });
});
