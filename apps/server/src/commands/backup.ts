// npm run backup -- FILE
import { audit } from '../access/audit.ts';
import { backUp } from '../db/backup/backup.ts';
import { totalRows } from '../db/backup/format.ts';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import { reasonOf, StartError } from '../start-error.ts';
import { counted, fileGiven, runCommand, withStore } from './run-command.ts';

await runCommand(async (args) => {
  const [file, ...rest] = args;
  if (file === undefined || file.startsWith('-') || rest.length > 0)
    throw new StartError('Usage: npm run backup -- FILE');
  await withStore('backup', async (store) => {
    const { rows } = await backUp(store.pool, fileGiven(file), new Date());
    await record(store.db, totalRows(rows)).catch((error: unknown) => {
      console.error(`The backup is complete, but is not on record: ${reasonOf(error)}.`);
    });
    console.log(
      `Backed up ${counted(totalRows(rows), 'row')} of ${counted(Object.keys(rows).length, 'table')} to ${file}.`,
    );
  });
});

/** Puts the backup in the audit trail, from which the metrics know its age; a standby takes no such entry. */
function record(db: Db, rows: number): Promise<void> {
  const entry = { subjectKind: 'database', subjectIds: [], accountId: null, detail: { rows } };
  return inTransaction(db, (trx) => audit(trx, Date.now(), { action: 'backup.made', ...entry }));
}
