import { useCallback, useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import css from './dialog.module.css';
import { closeOnBack } from '../router/history.ts';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';

/** The name of the event that the window gets when a modal dialog has opened or closed. */
export const MODALS = 'modals';
const modalsChanged = (): void => void dispatchEvent(new Event(MODALS));

/** Returns false to keep the dialog open; may call `shut` later to close it after all. */
type MayClose = (shut: () => void) => boolean;

interface DialogFrame {
  ref: RefObject<HTMLDialogElement | null>;
  /** Plays the closing animation, then calls `onClose`. */
  close: () => void;
}

/**
 * A native modal dialog, open while the component is mounted. The browser keeps the focus inside, closes the dialog
 * on Escape and returns the focus. An element with `data-autofocus` gets the focus first. `mayClose` can refuse to
 * close. `onClose` is called after the closing animation.
 */
function useDialog(onClose: () => void, mayClose?: MayClose): DialogFrame & { onCancel: (e: Event) => void } {
  const ref = useRef<HTMLDialogElement>(null);
  const latest = useRef({ onClose, mayClose });
  useEffect(() => {
    latest.current = { onClose, mayClose };
  });
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const before = document.activeElement;
    // React's `autoFocus` has no effect here, since React applies it before the dialog is shown. The element to focus
    // is marked instead. The browser focuses it as it shows the dialog; a second focus would take a second layout.
    const first = dialog.querySelector<HTMLElement>('[data-autofocus]');
    if (first) first.autofocus = true;
    if (!dialog.open) dialog.showModal();
    modalsChanged();
    return () => {
      dialog.close();
      modalsChanged();
      // The browser returns the focus only while the dialog is in the document, so the focus is returned here. If a
      // command has moved the focus during the closing animation, the focus stays where the command put it.
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const shut = useCallback(() => {
    const dialog = ref.current;
    if (!dialog?.open) return;
    dialog.close();
    modalsChanged();
    const ways = dialog.getAnimations().map((animation) => animation.finished);
    void Promise.allSettled(ways).then(() => latest.current.onClose());
  }, []);
  const close = useCallback(() => {
    if (ref.current?.open && latest.current.mayClose?.(shut) !== false) shut();
  }, [shut]);
  const onCancel = useCallback(
    (event: Event) => {
      event.preventDefault();
      close();
    },
    [close],
  );
  useEffect(() => closeOnBack({ isOpen: () => ref.current?.open === true, close }), [close]);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.addEventListener('cancel', onCancel);
    return () => dialog?.removeEventListener('cancel', onCancel);
  }, [onCancel]);
  return { ref, close, onCancel };
}

export interface DialogProps {
  title: ReactNode;
  /** The width, in CSS. Defaults to 32rem. */
  width?: string | undefined;
  /** Content beside the title, before the close button. */
  aside?: ReactNode;
  /** The content, or a function of `close`, which plays the closing animation and then calls `onClose`. */
  children: ReactNode | ((close: () => void) => ReactNode);
  footer?: ReactNode | ((close: () => void) => ReactNode);
  /** The label of the × button, in another language than English. */
  dismiss?: string | undefined;
  onClose: () => void;
  mayClose?: MayClose | undefined;
  /** Content between the header and the body. */
  bar?: ReactNode;
  /** Whether the body scrolls separately, at a height of at most 70vh. Defaults to true. */
  scrolls?: boolean | undefined;
  className?: string | undefined;
}

/**
 * A modal dialog with a title, body and footer. The specification requires a `Close` button in some footers, so the ×
 * button has a different label.
 */
export function Dialog({
  title,
  width,
  aside,
  bar,
  children,
  footer,
  dismiss = 'Dismiss',
  onClose,
  mayClose,
  scrolls = true,
  className,
}: DialogProps) {
  const id = useId();
  const { ref, close } = useDialog(onClose, mayClose);
  return (
    <dialog
      ref={ref}
      className={cx(css.dialog, css.sheet, className)}
      aria-labelledby={id}
      style={width === undefined ? undefined : { '--dialog-width': width }}
    >
      <header className={css.header}>
        <h2 id={id}>{title}</h2>
        <span className="grow" />
        {aside}
        <Button variant="ghost" icon aria-label={dismiss} onClick={close}>
          <Icon name="x" />
        </Button>
      </header>
      {bar}
      {scrolls ? (
        <div className={css.body}>{typeof children === 'function' ? children(close) : children}</div>
      ) : typeof children === 'function' ? (
        children(close)
      ) : (
        children
      )}
      {footer ? <footer className={css.footer}>{typeof footer === 'function' ? footer(close) : footer}</footer> : null}
    </dialog>
  );
}

/** A button in an `AlertDialog` that carries out an action. */
export interface Act {
  text: ReactNode;
  /** Whether the action removes something for good. */
  danger?: boolean;
  unavailable?: boolean;
  run: (close: () => void) => void;
}

/**
 * A message or a question, stated in the title, with details below. The button that changes nothing comes last,
 * stands out and has the focus, as in other footers.
 */
export function AlertDialog({
  title,
  children,
  acts = [],
  keep = 'OK',
  onKeep,
  width,
  onClose,
}: {
  title: ReactNode;
  children?: ReactNode;
  acts?: readonly Act[];
  /** The label of the button that changes nothing. */
  keep?: string;
  /** Called only by the button that changes nothing, not on Escape. */
  onKeep?: () => void;
  width?: string | undefined;
  onClose: () => void;
}) {
  const id = useId();
  const { ref, close } = useDialog(onClose);
  const [described] = useState(children !== undefined);
  return (
    <dialog
      ref={ref}
      role="alertdialog"
      className={cx(css.dialog, css.alert)}
      aria-labelledby={id}
      aria-describedby={described ? `${id}-body` : undefined}
      style={width === undefined ? undefined : { '--dialog-width': width }}
    >
      <h2 id={id}>{title}</h2>
      {described ? <div id={`${id}-body`}>{children}</div> : null}
      <div className={css.acts}>
        {acts.map(({ text, danger, unavailable, run }, i) => (
          <Button
            key={i}
            size="lg"
            variant={danger ? 'danger' : undefined}
            unavailable={unavailable}
            onClick={() => run(close)}
          >
            {text}
          </Button>
        ))}
        <Button
          variant="primary"
          size="lg"
          autoFocus
          onClick={() => {
            onKeep?.();
            close();
          }}
        >
          {keep}
        </Button>
      </div>
    </dialog>
  );
}
