import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { exportsEndpoints } from '@clinic/contract';
import { NoReplyError, SaidError, send } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-client.ts';
import { queryOf } from '../../shared/api/query-of.ts';
import { saveFile } from '../../shared/save-file.ts';
import { bodyOf, zipName, type Choice } from './model.ts';

export const useLastExport = () => useQuery(queryOf(queryKeys.lastExport, exportsEndpoints.lastExport, {}));

/** How far a download is: `part` is null while the server makes the files, and then goes from 0 to 1. */
export interface Working {
  readonly part: number | null;
}

/** Downloads an export: the work in progress, what came of it, and the function that starts it. */
export function useExport() {
  const [working, setWorking] = useState<Working | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const queries = useQueryClient();
  const download = async (choice: Choice, today: string): Promise<void> => {
    if (working) return;
    setFailure(null);
    setDone(null);
    setWorking({ part: null });
    try {
      const endpoint = exportsEndpoints.makeExport;
      const response = await send(endpoint, { body: bodyOf(choice), headers: { Accept: 'application/zip' } });
      const file = await zipOf(response, (part) => setWorking({ part }));
      const name = zipName(choice, today);
      saveFile(file, name);
      setDone(name);
    } catch (error) {
      setFailure(error instanceof Error ? error : new SaidError('Something went wrong.'));
    } finally {
      setWorking(null);
      void queries.invalidateQueries({ queryKey: queryKeys.lastExport });
    }
  };
  return { working, done, failure, download };
}

/** The zip file in a reply, with how much of it has arrived. A page or a file that broke off is no zip file. */
async function zipOf(response: Response, onPart: (part: number) => void): Promise<Blob> {
  const total = Number(response.headers.get('Content-Length') ?? 0);
  const chunks: BlobPart[] = [];
  let arrived = 0;
  try {
    const reader = response.body?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      chunks.push(next.value);
      arrived += next.value.length;
      if (total > 0) onPart(Math.min(1, arrived / total));
    }
  } catch {
    throw new NoReplyError('silent', exportsEndpoints.makeExport);
  }
  const file = new Blob(chunks, { type: 'application/zip' });
  const end = await file.slice(-22).text();
  if ((total > 0 && arrived !== total) || !end.startsWith('PK\x05\x06'))
    throw new NoReplyError('unreadable', exportsEndpoints.makeExport, response.status);
  return file;
}
