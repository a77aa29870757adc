import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { hashOf } from '../access/audit.ts';
import { stateFaults } from './chains.ts';
import type { TrailEntry } from './facts.queries.ts';
import { parseJson } from './parse-json.ts';

/** The parts of an auditor's file, and the order in which they are written. */
export const PARTS = { csv: 'sessions.csv', pdf: 'sessions.pdf', record: 'record.json' } as const;
export const MANIFEST = 'manifest.json';
export const SEAL = 'seal.json';

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

const hash = z.string().check(z.regex(/^[\da-f]{64}$/));
const record = z.strictObject({
  chain: z.number(),
  number: z.number(),
  at: z.string(),
  accountId: z.nullable(z.string()),
  action: z.string(),
  subjectKind: z.string(),
  subjectIds: z.readonly(z.array(z.string())),
  location: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
  requestId: z.nullable(z.string()),
});
const entry = z.strictObject({ record, prev: hash, hash });
/** An entry that also names other people: only its place, its time and its hash are in the file. */
const withheld = z.strictObject({ chain: z.number(), number: z.number(), at: z.string(), action: z.string(), hash });
const recordFile = z.strictObject({
  states: z.array(
    z.strictObject({
      kind: z.enum(['therapist', 'client', 'account', 'location']),
      subject: z.string(),
      number: z.number(),
      at: z.string(),
      state: z.string(),
      prev: hash,
      hash,
    }),
  ),
  trail: z.array(z.union([entry, withheld])),
  /** The newest entry of each chain of the trail when the file was made. */
  heads: z.array(z.string()),
});
export type RecordFile = z.infer<typeof recordFile>;
const manifest = z.strictObject({
  client: z.string(),
  from: z.string(),
  to: z.string(),
  made_at: z.string(),
  sessions: z.number(),
  files: z.record(z.string(), hash),
});
export type Manifest = z.infer<typeof manifest>;

export const sealOf = ({ record: { chain, number }, hash: own }: TrailEntry): string => `${chain}:${number}:${own}`;

/** What the check of an auditor's file found. */
export interface Checked {
  readonly faults: readonly string[];
  /** The seal; null if it cannot be read. */
  readonly seal: string | null;
  readonly manifest: Manifest | null;
  readonly states: number;
  readonly entries: number;
  readonly withheld: number;
}

const entryFault = ({ record: of, prev, hash: own }: TrailEntry): string[] =>
  hashOf(of, Buffer.from(prev, 'hex')).toString('hex') === own
    ? []
    : [`trail entry ${of.chain}:${of.number} was changed`];

/**
 * Checks an auditor's file without a database: every part has the hash that the manifest says, the seal holds the
 * manifest's hash, and every entry and state has its own hash and follows the one before.
 * @param expected the seal as the clinic said it in another way
 */
export function checkParts(parts: ReadonlyMap<string, Buffer>, expected?: string): Checked {
  const faults: string[] = [];
  const text = (name: string): string => String(parts.get(name) ?? '');
  const made = parseJson(manifest, text(MANIFEST));
  const sealed = parseJson(entry, text(SEAL));
  const rests = parseJson(recordFile, text(PARTS.record));
  const names = new Set([...Object.values(PARTS), MANIFEST, SEAL, ...parts.keys()]);
  if (names.size !== parts.size || names.size !== Object.keys(PARTS).length + 2)
    faults.push('the file does not have the parts that it should have');
  if (!made) faults.push(`${MANIFEST} is not as it was made`);
  if (!rests) faults.push(`${PARTS.record} is not as it was made`);
  for (const name of Object.values(PARTS))
    if (made?.files[name] !== sha256(parts.get(name) ?? '')) faults.push(`${name} was changed`);
  if (!sealed) faults.push(`${SEAL} is not as it was made`);
  else {
    faults.push(...entryFault(sealed).map((fault) => `the seal: ${fault}`));
    if (sealed.record.action !== 'auditor-file.made' || sealed.record.detail['sha256'] !== sha256(text(MANIFEST)))
      faults.push('the seal is not of this file');
    if (expected !== undefined && expected !== sealOf(sealed)) faults.push('the seal is not the one that was expected');
  }
  const whole = rests?.trail.flatMap((each) => ('record' in each ? [each] : [])) ?? [];
  faults.push(...whole.flatMap(entryFault), ...stateFaults(rests?.states ?? []));
  return {
    faults,
    seal: sealed && sealOf(sealed),
    manifest: made,
    states: rests?.states.length ?? 0,
    entries: whole.length,
    withheld: (rests?.trail.length ?? 0) - whole.length,
  };
}
