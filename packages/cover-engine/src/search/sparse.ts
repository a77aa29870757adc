/** The entries of sparse rows or columns, one after the other, in the form that HiGHS expects. */
export interface Sparse {
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/** Collects the entries of these rows or columns; `eachEntry` gives those of one of them. Zeros are left out. */
export function sparse<Item>(
  items: readonly Item[],
  eachEntry: (item: Item, put: (at: number, value: number) => void) => void,
): Sparse {
  const starts = new Int32Array(items.length + 1);
  const indices: number[] = [];
  const values: number[] = [];
  const put = (at: number, value: number): void => {
    if (value === 0) return;
    indices.push(at);
    values.push(value);
  };
  items.forEach((item, i) => {
    starts[i] = indices.length;
    eachEntry(item, put);
  });
  starts[items.length] = indices.length;
  return { starts, indices: Int32Array.from(indices), values: Float64Array.from(values) };
}
