import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { exportsEndpoints } from '@clinic/contract';
import { SaidError, send } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-client.ts';
import { queryOf } from '../../shared/api/query-of.ts';
import { zipOf } from '../../shared/api/zip.ts';
import { saveFile } from '../../shared/save-file.ts';
import { bodyOf, zipName, type Choice } from './model.ts';

export const useLastExport = () => useQuery(queryOf(queryKeys.lastExport, exportsEndpoints.lastExport, {}));

/** How far a download is: `part` is null while the server makes the files, and then goes from 0 to 1. */
interface Working {
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
      const file = await zipOf(endpoint, response, (part) => setWorking({ part }));
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
