/**
 * Runs a mail server in a separate process: `mail-receiver-main.ts FILE PORT [WHOLE]`. It appends each email's id to
 * FILE, and the email's recipient and content to WHOLE as a line of JSON. A line `refuse` or `accept` on standard input
 * tells it what to do with the next emails. It stops when standard input closes.
 */
import { appendFileSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { openMailReceiver } from './mail-receiver.ts';

const [file = '', port = '0', whole] = process.argv.slice(2);
const out = openSync(file, 'a');
/** A pause that makes this server as slow as a real mail server, so that a kill finds emails in every state. */
const SLOW_MS = 15;

const mail = await openMailReceiver({
  port: Number(port),
  async onMail({ id, to, content }) {
    await delay(Math.random() * SLOW_MS);
    if (whole !== undefined) appendFileSync(whole, `${JSON.stringify({ to, content })}\n`);
    writeSync(out, `${id}\n`);
    fsyncSync(out);
    await delay(Math.random() * SLOW_MS);
  },
});
process.stdin
  .on('close', () => process.exit(0))
  .on('data', (line) => (mail.mood = String(line).trim() === 'refuse' ? 'refuse' : 'accept'));
process.stdout.write(`${new URL(mail.url).port}\n`);
