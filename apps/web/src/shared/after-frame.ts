/**
 * Runs the work once the browser has painted the next frame. A hidden page waits until it is visible again. Returns a
 * function that cancels the work.
 */
export function afterFrame(work: () => void): () => void {
  let after: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    after = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(after);
  };
}
