import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react';
import css from './dialog.module.css';

/** A modal dialog. Uses the browser's own, which traps the focus and closes on Escape. */
export const Dialog = ({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement => {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = dialogRef.current;
    dialog?.showModal();
    // Otherwise the browser focuses the first button, which is the irreversible one.
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialogRef}
      className={css.dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
};
