import { quote } from './fields.ts';
import type { Fault } from '../import-types.ts';

/** Refuses a row whose location is unknown. */
export const unknownLocation = (text: string): Fault => ({
  reason: 'unknown location',
  text: `there is no location ${quote(text)}; the import page asks which one it is`,
});
