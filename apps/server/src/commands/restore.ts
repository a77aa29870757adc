// npm run restore -- FILE [--replace]
import { totalRows } from '../db/backup/format.ts';
import { checkBackup, restore } from '../db/backup/restore.ts';
import { publishEvent } from '../platform/events.ts';
import { verifyAudit } from '../admin/verify.ts';
import { StartError } from '../start-error.ts';
import { counted, fileGiven, runCommand, withStore } from './run-command.ts';

await runCommand(async (args) => {
  const replace = args.includes('--replace');
  const [file, ...rest] = args.filter((a) => a !== '--replace');
  if (file === undefined || file.startsWith('-') || rest.length > 0)
    throw new StartError('Usage: npm run restore -- FILE [--replace]');
  const backup = await checkBackup(fileGiven(file)); // the file is checked before a database is started
  await withStore('restore', async (store) => {
    const { rows, madeAt } = await restore(store.pool, backup, { replace });
    // Servers and pages that are open read everything again, the clinic's locations too.
    await publishEvent(store.db, { kind: 'resync', dates: [] });
    const trail = await verifyAudit(store.db);
    console.log(
      `Restored ${counted(totalRows(rows), 'row')} of ${counted(Object.keys(rows).length, 'table')}, as of ${madeAt}. Restart the servers that use this database.`,
    );
    for (const fault of trail.faults) console.log(fault);
    if (trail.faults.length > 0) {
      throw new StartError(
        `The audit trail in the backup is damaged: ${counted(trail.faults.length, 'error')} in ${counted(trail.rows, 'row')}. The data was restored as it was backed up; find out when the trail was changed before you rely on it.`,
      );
    }
    console.log(`The audit trail is intact: ${counted(trail.rows, 'row')} in ${counted(trail.heads.length, 'chain')}.`);
  });
});
