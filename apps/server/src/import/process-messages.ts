import type { ClinicLocation } from '@clinic/domain';
import type { ImportStore } from './plan/import-store.ts';
import type { ImportFiles } from './import-types.ts';
import type { ImportOptions } from './imports.service.ts';

/** The first message to an import's process. */
export interface ImportStart {
  readonly files: ImportFiles;
  readonly options: ImportOptions;
  /** The clinic's locations, as the server knows them. */
  readonly locations: readonly ClinicLocation[];
  /** Whether the reply also has the report and the differences. */
  readonly full: boolean;
}

type Method = keyof ImportStore;
type Args = Parameters<ImportStore[Method]>;

/** What the process sends: a call to the store, or the result of the import. */
export type ImportMessage =
  | { readonly kind: 'call'; readonly method: Method; readonly args: Args }
  | { readonly kind: 'done'; readonly reply: Uint8Array }
  | { readonly kind: 'failed'; readonly error: PlainError };

/** What the process receives: the result of its call. It makes one call at a time. */
export type StoreMessage = { readonly value: string | undefined } | { readonly error: PlainError };

/** An error in a form that can be sent between processes, where error objects lose their class and code. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
}

export function plainOf(error: unknown): PlainError {
  const { name, message, code } = error as { name?: unknown; message?: unknown; code?: unknown };
  return { name: String(name), message: String(message), code: typeof code === 'string' ? code : undefined };
}
