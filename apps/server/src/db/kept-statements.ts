/** A statement is kept prepared from its tenth use on, so that rare statements take up no memory. */
const USES = 10;
/**
 * How many statements are kept prepared. In each connection, a prepared statement takes some 30 kB of PostgreSQL's
 * memory.
 */
const MOST_KEPT = 100;
/** The maximum number of statements whose uses are counted; when it is exceeded, all counts start again from 0. */
const MOST_COUNTED = 1000;

const READS = /^\s*(select|with)\b/i;
const ALL_COLUMNS = /(\bselect\s+|\.)\*/i;

/**
 * Chooses the statements that connections keep prepared under a name. PostgreSQL parses such a statement only once.
 * After five runs, PostgreSQL also reuses one plan, unless plans made for the given values are cheaper. The class
 * chooses reads with parameters, and statements that begin with `with`, such as the statement that records who read
 * what. It never chooses reads that select `*`, because they would fail once a migration has added a column.
 */
export class KeptStatements {
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<string, number>();

  /** Returns the name of a prepared statement; undefined while the statement is not kept prepared. */
  nameOf(text: string): string | undefined {
    const kept = this.#names.get(text);
    if (kept !== undefined || this.#names.size >= MOST_KEPT) return kept;
    if (!READS.test(text) || ALL_COLUMNS.test(text)) return undefined;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses >= USES) {
      this.#uses.delete(text);
      const name = `kept_${this.#names.size + 1}`;
      this.#names.set(text, name);
      return name;
    }
    if (this.#uses.size >= MOST_COUNTED) this.#uses.clear();
    this.#uses.set(text, uses);
    return undefined;
  }
}
