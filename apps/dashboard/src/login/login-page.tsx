import { Paper, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { texts } from '../texts';
import { wallTexts } from '../texts-wall';
import { LoginForm } from './login-form';

/** Asks who somebody is in place of the page, whose address stays: it opens once the gateway knows. */
export const LoginPage = ({
  why,
  isWall = false,
}: {
  readonly why: string | undefined;
  readonly isWall?: boolean;
}): ReactElement => (
  <main className="middle">
    <Paper withBorder shadow="sm" radius="md" className="login">
      <div className="brand">
        <img src="icon.svg" alt="" width={28} height={28} />
        {texts.product}
      </div>
      <Title order={1}>{texts.login.title}</Title>
      <p>{texts.login.why}</p>
      {isWall && <p>{wallTexts.link}</p>}
      <LoginForm why={why} leaves />
    </Paper>
  </main>
);
