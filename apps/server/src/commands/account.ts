// npm run account -- add EMAIL --role scheduler [--location L]… [--name N] | disable EMAIL | password EMAIL
import { parseArgs } from 'node:util';
import type { Role } from '@clinic/contract';
import { emailKey, isEmailAddress, parseLocation } from '@clinic/domain';
import { addAccount, disableAccount, setPassword } from '../admin/accounts.service.ts';
import { Refusal } from '../platform/refusal.ts';
import { StartError } from '../start-error.ts';
import { runCommand, withStore } from './run-command.ts';

const USAGE =
  'Usage: npm run account -- add EMAIL --role scheduler|admin|director|viewer [--location L]… [--name NAME] | disable EMAIL | password EMAIL (passwords are read from standard input)';

await runCommand(async (args) => {
  const { values, action, email } = parse(args);
  const act = { accountId: null, requestId: null, at: Date.now(), locations: null };
  await withStore('account', async (store) => {
    const password = action === 'disable' ? '' : await readPassword();
    if (action === 'add') {
      await addAccount(
        store.db,
        act,
        {
          email,
          name: values.name ?? email.split('@')[0] ?? email,
          role: roleOf(values.role),
          locations: locationsOf(values.location),
        },
        password,
      );
      console.log(`Account ${email} added.`);
    } else if (action === 'disable') {
      await disableAccount(store.db, act, email);
      console.log(`Account ${email} disabled and logged out everywhere.`);
    } else {
      await setPassword(store.db, act, email, password);
      console.log(`Account ${email} has a new password and is logged out everywhere.`);
    }
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? new StartError(error.message) : error;
  });
});

function parse(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        role: { type: 'string' },
        location: { type: 'string', multiple: true },
        name: { type: 'string' },
      },
    });
    const [action, email, ...rest] = positionals;
    const known = (['add', 'disable', 'password'] as const).find((each) => each === action);
    if (!known || !email || rest.length > 0 || (known !== 'add' && Object.keys(values).length > 0))
      throw new Error(USAGE);
    if (!isEmailAddress(email)) throw new StartError(`'${email}' is not an email address.`);
    return { values, action: known, email: emailKey(email) };
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(USAGE);
  }
}

function roleOf(role: string | undefined): Exclude<Role, 'therapist'> {
  const known = (['scheduler', 'admin', 'director', 'viewer'] as const).find((each) => each === role);
  if (known) return known;
  throw new StartError(
    `--role must be scheduler, admin, director or viewer${role === undefined ? '' : `, not '${role}'`}.`,
  );
}

function locationsOf(names: readonly string[] | undefined) {
  if (names === undefined) return null;
  return names.map((name) => {
    const location = parseLocation(name);
    if (location === null) throw new StartError(`There is no location '${name}'.`);
    return location;
  });
}

/** Reads the password from the first line of standard input. On a terminal, asks for it and does not echo it. */
async function readPassword(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) {
    process.stderr.write('Password: ');
    stdin.setRawMode(true);
  }
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes('\u0003')) throw new StartError('Stopped.');
    if (/[\r\n]/.test(text)) break;
  }
  if (stdin.isTTY) {
    stdin.setRawMode(false);
    process.stderr.write('\n');
  }
  stdin.unref();
  return (text.split(/[\r\n]/, 1)[0] ?? '').replace(/^\uFEFF/, '');
}
