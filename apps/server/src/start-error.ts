/**
 * A reason the product cannot start, in one line for the person at the terminal: what is wrong and what to do.
 * `main.ts` and the commands print only the message and end with exit code 1.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** The text of anything thrown, on one line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

/** The code of anything thrown, such as `ENOENT` or a database's SQLSTATE; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
