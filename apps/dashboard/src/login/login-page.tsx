import { Paper, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { texts } from '../texts';
import { LoginForm } from './login-form';

/** Asks who somebody is in the place of the page, whose address stays: it opens once the gateway knows. */
export const LoginPage = ({ why }: { readonly why: string | undefined }): ReactElement => (
  <main className="middle">
    <Paper withBorder shadow="sm" radius="md" className="login">
      <div className="brand">
        <img src="icon.svg" alt="" width={28} height={28} />
        {texts.product}
      </div>
      <Title order={1}>{texts.login.title}</Title>
      <p>{texts.login.why}</p>
      <LoginForm why={why} leaves />
    </Paper>
  </main>
);
