import type { ImportStore } from './plan/import-store.ts';
import type { ImportFiles } from './import-types.ts';
import type { ImportOptions } from './imports.service.ts';

/** What the thread receives when it starts. */
export interface ThreadData {
  readonly files: ImportFiles;
  readonly options: ImportOptions;
}

/** The first message to an import's process. */
export interface ProcessStart {
  readonly data: ThreadData;
  /** The maximum size of the thread's heap, in megabytes. */
  readonly heapMb: number;
}

type Method = keyof ImportStore;
type Args = Parameters<ImportStore[Method]>;

/** What the thread sends: a call to the store, or the result of the import. */
export type ThreadMessage =
  | { readonly kind: 'call'; readonly method: Method; readonly args: Args }
  | { readonly kind: 'done'; readonly reply: Uint8Array }
  | { readonly kind: 'failed'; readonly error: PlainError };

/** What the thread receives: the result of its call. The thread makes one call at a time. */
export type StoreMessage = { readonly value: string | undefined } | { readonly error: PlainError };

/** An error in a form that can be sent between threads and processes, where error objects lose their class and code. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
}

export function plainOf(error: unknown): PlainError {
  const { name, message, code } = error as { name?: unknown; message?: unknown; code?: unknown };
  return { name: String(name), message: String(message), code: typeof code === 'string' ? code : undefined };
}
