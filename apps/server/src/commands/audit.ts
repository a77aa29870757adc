// npm run audit -- verify [HEAD]…: exit code 0 when the trail is intact, otherwise 1.
// npm run audit -- verify FILE [SEAL]: the same for a file that was made for an auditor; needs no database.
import { readFile } from 'node:fs/promises';
import { verifyAudit } from '../admin/verify.ts';
import { checkParts } from '../auditor/seal.ts';
import { verifyStates } from '../auditor/verify-states.ts';
import { Archive } from '../import/read/unpack.ts';
import { reasonOf, StartError } from '../start-error.ts';
import { counted, fileGiven, runCommand, withStore } from './run-command.ts';

const USAGE =
  'Usage: npm run audit -- verify [HEAD]… (HEAD: a line that an earlier check printed for a chain), or npm run audit -- verify FILE [SEAL] (FILE: a file made for an auditor)';
const isHead = (text: string): boolean => /^\d+:\d+:[\da-f]{64}$/.test(text);

await runCommand(async (args) => {
  const [action, ...kept] = args;
  const [file, seal] = kept;
  if (action !== 'verify') throw new StartError(USAGE);
  if (file !== undefined && !isHead(file)) {
    if (kept.length > 2 || (seal !== undefined && !isHead(seal))) throw new StartError(USAGE);
    return verifyFile(file, seal);
  }
  if (!kept.every(isHead)) throw new StartError(USAGE);
  await withStore('audit', async (store) => {
    const { rows, heads, faults: inTrail } = await verifyAudit(store.db, kept);
    const faults = [...inTrail, ...(await verifyStates(store.db))];
    for (const fault of faults) console.log(fault);
    for (const head of heads) console.log(`head ${head}`);
    if (faults.length > 0)
      throw new StartError(
        `The audit trail is damaged: ${counted(faults.length, 'error')} in ${counted(rows, 'row')}.`,
      );
    console.log(`The audit trail is intact: ${counted(rows, 'row')} in ${counted(heads.length, 'chain')}.`);
  });
});

async function verifyFile(name: string, expected: string | undefined): Promise<void> {
  const bytes = await readFile(fileGiven(name)).catch((error: unknown) => {
    throw new StartError(`${name} cannot be read: ${reasonOf(error)}. ${USAGE}`);
  });
  const { faults, seal, manifest, states, entries, withheld } = checkParts(partsOf(bytes), expected);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0 || seal === null || manifest === null)
    throw new StartError(`The file is not as it was made: ${counted(faults.length, 'error')}.`);
  const { client, from, to, sessions, made_at: at } = manifest;
  console.log(`Client ${client}, ${from} to ${to}: ${counted(sessions, 'session')}. Made at ${at}.`);
  console.log(
    `Every part is as the seal says. Checked: ${counted(states, 'state')} of records, ${entries} of ${entries + withheld} entries of the trail (of the others, which also name other clients, the file has only the hash).`,
  );
  console.log(`seal ${seal}`);
  console.log(
    expected === undefined
      ? 'Not proven: that the clinic’s trail holds this seal. Compare it with the one that the clinic gives in another way (verify FILE SEAL).'
      : 'The seal is the expected one.',
  );
  console.log(
    `Not proven by the file alone: that the clinic recorded everything, and recorded it truly. On the clinic’s own database, npm run audit -- verify ${seal} proves that its trail holds the seal and is unbroken.`,
  );
}

/** The parts of a zip file; those that cannot be read are left out. */
function partsOf(bytes: Buffer): Map<string, Buffer> {
  const archive = Archive.open(bytes);
  const parts = new Map<string, Buffer>();
  for (const name of archive?.names ?? []) {
    try {
      const part = archive?.part(name);
      if (part) parts.set(name, part);
    } catch {
      // A part that is damaged counts as missing.
    }
  }
  return parts;
}
