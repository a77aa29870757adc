import { useRef, type ReactNode } from 'react';
import { AlertDialog } from './dialog.tsx';

/**
 * For a dialog that may hold unsaved changes: `mayClose` asks `mayLeave` each time the dialog would close, and `leave`
 * closes it without asking.
 */
export function useLeaving(mayLeave: () => boolean) {
  const leaving = useRef(false);
  return {
    mayClose: (): boolean => leaving.current || mayLeave(),
    leave: (close: () => void): void => {
      leaving.current = true;
      close();
    },
  };
}

/** The question asked before edits are discarded; the children say which edits. */
export function UnsavedAlert({
  children,
  onDiscard,
  onKeep,
}: {
  children?: ReactNode;
  onDiscard: () => void;
  onKeep: () => void;
}) {
  return (
    <AlertDialog
      title="Leave without saving?"
      width="30rem"
      onClose={onKeep}
      keep="Keep editing"
      acts={[{ text: 'Discard changes', danger: true, run: onDiscard }]}
    >
      {children}
    </AlertDialog>
  );
}
