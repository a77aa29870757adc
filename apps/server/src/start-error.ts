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
