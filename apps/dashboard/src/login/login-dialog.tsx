import { Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactElement } from 'react';
import { loginTexts } from '../texts/login';
import { LoginForm } from './login-form';
import css from '../parts/dialog.module.css';

/** Interval at which the page checks for a login in another tab, in milliseconds. */
const pollMs = 3_000;

/** Asks for a login above the page, which stays: text typed there is not lost. */
export const LoginDialog = ({ why }: { readonly why: string | undefined }): ReactElement => {
  const queries = useQueryClient();
  const dialogRef = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialogRef.current?.showModal();
  }, []);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void queries.refetchQueries({ queryKey: ['me'] });
    };
    const looking = setInterval(look, pollMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(looking);
      document.removeEventListener('visibilitychange', look);
    };
  }, [queries]);
  return (
    <dialog
      ref={dialogRef}
      className={css.dialog}
      aria-labelledby="login-title"
      onCancel={(event) => {
        // The dialog cannot be closed: the page below shows data that the user may no longer read.
        event.preventDefault();
      }}
    >
      <Title order={2} id="login-title">
        {loginTexts.title}
      </Title>
      <p>{loginTexts.again}</p>
      <LoginForm why={why} leaves={false} />
    </dialog>
  );
};
