import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { checkParts } from '../auditor/seal.ts';
import { Archive } from '../import/read/unpack.ts';
import type { SignedIn } from './test-app.ts';

/** The time at which tests make their files: what tests write is recorded before their sessions of 2030. */
export const AUDITED_AT = '2031-10-31T20:00:00Z';

/** The parts of a zip file that can be read. */
export function partsOf(bytes: Buffer): Map<string, Buffer> {
  const archive = Archive.open(bytes);
  const parts = new Map<string, Buffer>();
  for (const name of archive?.names ?? []) {
    try {
      parts.set(name, archive?.part(name) ?? Buffer.of());
    } catch {
      // a damaged part is missing
    }
  }
  return parts;
}

/** Makes an auditor's file by the API, and checks it. */
export async function auditedFile(by: SignedIn, payload: object) {
  const reply = await by.call({ method: 'POST', url: '/api/auditor-files', payload });
  expect([reply.statusCode, reply.headers['content-type']], reply.body).toEqual([200, 'application/zip']);
  expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length));
  const parts = partsOf(reply.rawPayload);
  const rows: Record<string, string>[] = parse(parts.get('sessions.csv') ?? '', { columns: true, bom: true });
  const checked = checkParts(parts);
  expect(checked.faults).toEqual([]);
  return { bytes: reply.rawPayload, parts, rows, checked, seal: String(reply.headers['x-seal']) };
}
