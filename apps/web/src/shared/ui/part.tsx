import { Component, Suspense, lazy, useState, type ComponentType, type ReactNode } from 'react';
import { AlertDialog } from './dialog.tsx';

/**
 * A part of a page that is fetched when it is first opened. One that does not come takes nothing down with it: it says
 * so in its place, `onUnloaded` puts away what asked for it, and the next opening fetches it anew. Without `onUnloaded`
 * the words stand where the part would be.
 */
export function part<P extends object>(
  load: () => Promise<ComponentType<P>>,
  wait: ReactNode = null,
): ComponentType<P & { onUnloaded?: () => void }> {
  const fresh = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        // React keeps a failure for ever.
        current = fresh();
        throw error;
      }
    });
  let current = fresh();
  return function Part({ onUnloaded, ...props }) {
    const [View] = useState<ComponentType<P>>(() => current as unknown as ComponentType<P>);
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

class Guard extends Component<{ failed: ReactNode; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }
  override render(): ReactNode {
    return this.state.broken ? this.props.failed : this.props.children;
  }
}
