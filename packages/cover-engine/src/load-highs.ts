import highs from 'highs';
import type { Highs, InitOptions } from 'highs';

/** Loads HiGHS (WebAssembly). Call this once in each thread, since each load has its own memory. */
export function loadHighs(): Promise<Highs> {
  // NOTE: the package's types describe a CommonJS module whose `default` is the loader, but Node loads the ES module.
  return (highs as unknown as (options?: InitOptions) => Promise<Highs>)();
}
