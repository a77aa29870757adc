// npm run audit -- verify [HEAD]…: exit code 0 when the trail is intact, otherwise 1.
import { verifyAudit } from '../admin/verify.ts';
import { StartError } from '../start-error.ts';
import { counted, runCommand, withStore } from './run-command.ts';

await runCommand(async (args) => {
  const [action, ...kept] = args;
  if (action !== 'verify' || kept.some((head) => !/^\d+:\d+:[\da-f]{64}$/.test(head))) {
    throw new StartError(
      'Usage: npm run audit -- verify [HEAD]… (HEAD: a line that an earlier check printed for a chain)',
    );
  }
  await withStore('audit', async (store) => {
    const { rows, heads, faults } = await verifyAudit(store.db, kept);
    for (const fault of faults) console.log(fault);
    for (const head of heads) console.log(`head ${head}`);
    if (faults.length > 0)
      throw new StartError(
        `The audit trail is damaged: ${counted(faults.length, 'error')} in ${counted(rows, 'row')}.`,
      );
    console.log(`The audit trail is intact: ${counted(rows, 'row')} in ${counted(heads.length, 'chain')}.`);
  });
});
