import { useEffect, useState } from 'react';
import { afterFrame } from '../after-frame.ts';

/**
 * Returns the previous value until the browser has painted the next frame, so that slow rendering of the new value does
 * not delay that frame. Until the first frame, returns `first`.
 */
export function useAfterPaint<T>(value: T, first: T = value): T {
  const [painted, setPainted] = useState(first);
  useEffect(() => (painted === value ? undefined : afterFrame(() => setPainted(value))), [painted, value]);
  return painted;
}
