import { useQuery, useQueryClient } from '@tanstack/react-query';
import { importFolderEndpoints, type ImportDifference } from '@clinic/contract';
import { call } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-client.ts';
import { queryOf } from '../../shared/api/query-of.ts';

/** What came of the last files in the folder for imports; asked again every minute, since a job takes the files. */
export const useFolderImport = (wanted: boolean) =>
  useQuery({
    ...queryOf(queryKeys.folderImport, importFolderEndpoints.folderImport, wanted ? { background: true } : null),
    refetchInterval: 60_000,
  });

export const useDifferences = () => useQuery(queryOf(queryKeys.differences, importFolderEndpoints.differences, {}));

/** Decides, and loads what is left. */
export function useDecisions() {
  const queries = useQueryClient();
  const reload = () =>
    Promise.all(
      [queryKeys.differences, queryKeys.folderImport].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  return {
    decide: async (take: 'theirs' | 'ours', rows: readonly ImportDifference[]): Promise<number> => {
      try {
        const body = { take, rows: rows.map(({ key, version }) => ({ key, version })) };
        return (await call(importFolderEndpoints.decideDifferences, { body })).decided;
      } finally {
        await reload();
      }
    },
    importWaiting: async (id: string): Promise<void> => {
      await call(importFolderEndpoints.importWaiting, { params: { id } });
      await reload();
    },
  };
}
