import { Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { AlertDialog } from './dialog.tsx';
import { Guard, fetched } from './fetched.tsx';

/**
 * A part of a page that is fetched when it is first opened. One that does not come takes nothing down with it: it says
 * so in its place, `onUnloaded` puts away what asked for it, and the next opening fetches it anew. Without `onUnloaded`
 * the words stand where the part would be.
 */
export function part<P extends object>(
  load: () => Promise<ComponentType<P>>,
  wait: ReactNode = null,
): ComponentType<P & { onUnloaded?: () => void }> {
  const own = fetched(load);
  return function Part({ onUnloaded, ...props }) {
    const [View] = useState(() => own.View);
    return (
      <Guard failed={<Unloaded onClose={onUnloaded} />}>
        <Suspense fallback={wait}>
          <View {...(props as unknown as P)} />
        </Suspense>
      </Guard>
    );
  };
}

function Unloaded({ onClose }: { onClose: (() => void) | undefined }) {
  const words = navigator.onLine
    ? 'It could not be loaded. What is on the page stays as it is. Open it again; if the server was just updated, load the page again.'
    : 'There is no connection. What is on the page stays as it is; open it again when the connection is back.';
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
      acts={navigator.onLine ? [{ text: 'Load the page again', run: () => location.reload() }] : []}
    >
      <p className="muted">{words}</p>
    </AlertDialog>
  );
}
