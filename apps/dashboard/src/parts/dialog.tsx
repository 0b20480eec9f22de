import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react';
import css from './dialog.module.css';

/** A question above the page. The browser's own: it keeps the focus inside, and Escape closes it. */
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
    // Else the browser takes the first button, which is the one that cannot be taken back.
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
