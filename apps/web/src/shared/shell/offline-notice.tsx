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

/** Whether the browser has a connection. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Says that the connection is gone, and what still works. */
export function OfflineNotice() {
  if (useOnline()) return null;
  return (
    <div className={css.box}>
      <Notice tone="offline" title="No connection.">
        What was loaded stays in view, and what you select is kept here until it is back.
      </Notice>
    </div>
  );
}
