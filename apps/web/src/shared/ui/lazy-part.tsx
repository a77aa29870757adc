import { Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { AlertDialog } from './dialog.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { retryableLazy } from './retryable-lazy.ts';

/**
 * A part of a page that is loaded when it is first opened. If loading fails, the rest of the page stays and a message
 * is shown. Closing the message calls `onLoadError`, which closes the part; opening it again loads it again. Without
 * `onLoadError`, the message is shown in the part's place. `preload` loads the part in advance, so that it opens at
 * once.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
): ComponentType<P & { onLoadError?: () => void }> & { readonly preload: () => void } {
  const own = retryableLazy(load);
  function LazyPart({ onLoadError, ...props }: P & { onLoadError?: () => void }) {
    const [View] = useState(() => own.loaded ?? own.View);
    return (
      <ErrorBoundary fallback={<LoadError onClose={onLoadError} />}>
        <Suspense fallback={fallback}>
          <View {...(props as unknown as P)} />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return Object.assign(LazyPart, { preload: own.preload });
}

function LoadError({ onClose }: { onClose: (() => void) | undefined }) {
  const words = navigator.onLine
    ? 'This part of the page could not be loaded; the rest is unchanged. Open it again. If the server was just updated, reload the page.'
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
