/**
 * Runs the work once the browser has painted the next frame; on a page that is not visible, once it is visible again.
 * Returns a function that cancels it.
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
