import * as z from 'zod/mini';

/** Reads JSON of a known form; null if the text is anything else. */
export function parseJson<T>(schema: z.ZodMiniType<T>, text: string): T | null {
  try {
    return z.parse(schema, JSON.parse(text));
  } catch {
    return null;
  }
}
