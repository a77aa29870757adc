/** Work that takes time: a statement of SQL, or finding options. */
export interface Work {
  readonly kind: 'statement' | 'solve';
  /** The statement with placeholders for its values, or what is solved. */
  readonly text: string;
  readonly result: Promise<unknown>;
}

type Watcher = (work: Work) => void;
const watchers = new Set<Watcher>();

/** Calls `watcher` when work begins, where it was begun. Returns a function that ends this. */
export function watchWork(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** Shows work that has begun to those who watch. */
export function showWork(kind: Work['kind'], textOf: () => string, result: unknown): void {
  if (watchers.size === 0 || !(result instanceof Promise)) return;
  for (const watcher of watchers) watcher({ kind, text: textOf(), result });
}
