/**
 * A reason why the product cannot start, in one line for the person at the terminal: what is wrong and what to do.
 * `main.ts` and the commands print only the message and exit with code 1.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** The message of a thrown value, on one line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

/** The code of a thrown value, such as `ENOENT` or a database's SQLSTATE; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
