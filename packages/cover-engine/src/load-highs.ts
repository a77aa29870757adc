import highs from 'highs';
import type { Highs, InitOptions } from 'highs';

/** Loads HiGHS (WebAssembly). Once per thread: each load has its own memory. */
export function loadHighs(): Promise<Highs> {
  // NOTE: the package's types describe its CommonJS form, where the loader is `default`; Node loads the ES module.
  return (highs as unknown as (options?: InitOptions) => Promise<Highs>)();
}
