import { Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { AlertDialog } from './dialog.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { retryableLazy } from './retryable-lazy.ts';

/**
 * A part of a page that is loaded when it is first opened. If loading fails, the rest of the page stays and a message
 * is shown. Closing the message calls `onLoadError`, which closes the part; opening it again loads it again. Without
 * `onLoadError`, the message is shown in the part's place. `preload` loads the part in advance, so that it opens at
 * once. A `quiet` part is one that nobody opened: nothing is shown instead, and it loads once the connection is back.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
  quiet = false,
): ComponentType<P & { onLoadError?: () => void }> & { readonly preload: () => void } {
  const own = retryableLazy(load);
  function LazyPart({ onLoadError, ...props }: P & { onLoadError?: () => void }) {
    const [{ View, tries }, setPart] = useState(() => ({ View: own.loaded ?? own.View, tries: 0 }));
    const tryAgain = (): void => setPart({ View: own.loaded ?? own.View, tries: tries + 1 });
    return (
      <ErrorBoundary key={tries} fallback={quiet ? <WhenOnline run={tryAgain} /> : <LoadError onClose={onLoadError} />}>
        <Suspense fallback={fallback}>
          <View {...(props as unknown as P)} />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return Object.assign(LazyPart, { preload: own.preload });
}

function WhenOnline({ run }: { run: () => void }) {
  useEffect(() => {
    addEventListener('online', run);
    return () => removeEventListener('online', run);
  });
  return null;
}

function LoadError({ onClose }: { onClose: (() => void) | undefined }) {
  const words = navigator.onLine
    ? 'This part of the page could not be loaded. Open it again, or reload the page.'
    : 'There is no connection. The rest of the page is unchanged. Try again when the connection is back.';
  if (!onClose)
    return (
      <p role="alert" className="small">
        {words}
      </p>
    );
  return (
    <AlertDialog
      title="This could not be opened"
      onClose={onClose}
      acts={navigator.onLine ? [{ text: 'Reload the page', run: () => location.reload() }] : []}
    >
      <p className="muted">{words}</p>
    </AlertDialog>
  );
}
