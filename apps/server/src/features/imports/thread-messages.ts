import type { ImportStore } from './import-store.ts';
import type { ImportFiles } from './import-types.ts';
import type { ImportOptions } from './imports.service.ts';

/** Passed to the thread when it starts. */
export interface ThreadData {
  readonly files: ImportFiles;
  readonly options: ImportOptions;
}

/** The first message to the process of an import. */
export interface ProcessStart {
  readonly data: ThreadData;
  /** Megabytes of heap of the thread. */
  readonly heapMb: number;
}

type Method = keyof ImportStore;
type Args = Parameters<ImportStore[Method]>;

/** What the thread sends: a call of its store, or how the import ended. */
export type ThreadMessage =
  | { readonly kind: 'call'; readonly method: Method; readonly args: Args }
  | { readonly kind: 'done'; readonly reply: Uint8Array }
  | { readonly kind: 'failed'; readonly error: PlainError };

/** What the thread receives: what its call returned. One call at a time. */
export type StoreMessage = { readonly value: string | undefined } | { readonly error: PlainError };

/** An error as it is sent between threads and processes, which lose its class and code. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
}

export function plainOf(error: unknown): PlainError {
  const { name, message, code } = error as { name?: unknown; message?: unknown; code?: unknown };
  return { name: String(name), message: String(message), code: typeof code === 'string' ? code : undefined };
}
