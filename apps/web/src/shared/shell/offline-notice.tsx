import { useSyncExternalStore } from 'react';
import css from './offline-notice.module.css';
import { Notice } from '../ui/states.tsx';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

const TEXT = 'You can still see what was loaded. What you select is kept until the connection is back.';

/**
 * Says that the connection is lost and what still works. Empty while connected, but always there: screen readers read
 * only what is added to an element that they already know.
 */
export function OfflineNotice({ title = 'No connection.', text = TEXT }: { title?: string; text?: string }) {
  const online = useOnline();
  return (
    <div className={css.box} role="status">
      {online ? null : (
        <Notice tone="offline" title={title}>
          {text}
        </Notice>
      )}
    </div>
  );
}
