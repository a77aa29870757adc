/**
 * How many random days a proof tries: a third of `most`, or all with `DOSE=long`. The days are the same in every run, so
 * an ordinary run needs no more than find a planted fault.
 */
export const repeats = (most: number): number => (process.env['DOSE'] === 'long' ? most : Math.ceil(most / 3));
