// npm run export -- FOLDER
import { audit } from '../access/audit.ts';
import { inTransaction } from '../db/retry.ts';
import { writeExport } from '../import/export/write-files.ts';
import { codeOf, reasonOf, StartError } from '../start-error.ts';
import { counted, fileGiven, runCommand, withStore } from './run-command.ts';

await runCommand(async (args) => {
  const [folder, ...rest] = args;
  if (folder === undefined || folder.startsWith('-') || rest.length > 0)
    throw new StartError('Usage: npm run export -- FOLDER');
  await withStore('export', async ({ db }, { adminClientName }) => {
    const counts = await writeExport(db, fileGiven(folder), adminClientName).catch((error: unknown) => {
      if (codeOf(error) === undefined) throw error;
      throw new StartError(`The files cannot be written to ${folder}: ${reasonOf(error)}.`);
    });
    await inTransaction(db, (trx) =>
      audit(trx, Date.now(), {
        action: 'export.made',
        subjectKind: 'database',
        subjectIds: [],
        accountId: null,
        detail: counts,
      }),
    );
    const texts = Object.entries(counts).map(([kind, n]) => `${kind}.csv (${counted(n, 'row')})`);
    console.log(`Exported to ${folder}: ${texts.join(', ')}. The files hold data about clients: keep them safe.`);
  });
});
