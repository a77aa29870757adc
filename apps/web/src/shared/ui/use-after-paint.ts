import { useEffect, useState } from 'react';

/**
 * Returns the previous value until the browser has painted the next frame, so that rendering what depends on the new
 * value does not delay that frame.
 */
export function useAfterPaint<T>(value: T): T {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    if (painted === value) return;
    let after: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      after = setTimeout(() => setPainted(value));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(after);
    };
  }, [painted, value]);
  return painted;
}
