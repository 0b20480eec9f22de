import { Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactElement } from 'react';
import { loginTexts } from '../texts/login';
import { LoginForm } from './login-form';
import css from '../parts/dialog.module.css';

/** Milliseconds after which the page looks whether somebody has logged in, in another tab. */
const pollMs = 3_000;

/** Asks who somebody is over the page, which stays as it is: what was typed there is not lost. */
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
        // There is nothing to go back to: the page below shows what nobody may read any more, or change.
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
