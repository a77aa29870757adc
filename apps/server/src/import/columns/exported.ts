import type { ImportKind } from '../import-types.ts';
import { readTable } from './tables.ts';

const COLUMNS = new Map(readTable('exported').map(([kind, names = '']) => [kind, names.split('|')]));

/** The columns of the file that an export writes, in their order. */
export const exportedColumns = (kind: ImportKind): readonly string[] => COLUMNS.get(kind) ?? [];
