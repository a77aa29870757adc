import { sql, type Compilable, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Db } from './connection.ts';

/** Stands for the value with this name, which each run of a statement gives. */
export type Given<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/** The place of a value among the parameters of a statement. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Makes a function that runs a statement whose text is composed only once, at its first run. Composing a statement
 * takes the server longer than sending it, so the statements that every request or every day needs are made this way.
 * @param compose compiles the statement
 */
export function composed<Values extends Readonly<Record<string, unknown>>, Row>(
  compose: (db: Db, given: Given<Values>) => CompiledQuery<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let once: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    const { parameters, ...statement } = (once ??= compose(db, (name) => sql`${new Place(name)}`));
    const filled = parameters.map((each) => (each instanceof Place ? values[each.name] : each));
    const { rows } = await db.executeQuery<Row>({ ...statement, parameters: filled });
    return rows;
  };
}

/** The rows of a query that a function makes. */
export type QueryRow<Make extends (...args: never[]) => Compilable> =
  ReturnType<Make> extends Compilable<infer Row> ? Row : never;
