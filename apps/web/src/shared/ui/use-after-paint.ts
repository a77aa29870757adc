import { useEffect, useState } from 'react';
import { afterFrame } from '../after-frame.ts';

/**
 * Returns the previous value until the browser has painted the next frame, so that slow rendering of the new value does
 * not delay that frame.
 */
export function useAfterPaint<T>(value: T): T {
  const [painted, setPainted] = useState(value);
  useEffect(() => (painted === value ? undefined : afterFrame(() => setPainted(value))), [painted, value]);
  return painted;
}
