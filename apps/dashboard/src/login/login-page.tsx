import { Center, Group, Paper, Stack, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { loginTexts } from '../texts/login';
import { shellTexts } from '../texts/shell';
import { wallTexts } from '../texts/wall';
import { LoginForm } from './login-form';

/** Asks for a login instead of the page, whose URL stays: it opens after the login. */
export const LoginPage = ({
  why,
  isWall = false,
}: {
  readonly why: string | undefined;
  readonly isWall?: boolean;
}): ReactElement => (
  <Center component="main" mih="100vh" p="md">
    <Paper shadow="sm" p={28} w="min(420px, 100%)">
      <Stack gap={14}>
        <Group gap="xs" fw={650}>
          <img src="icon.svg" alt="" width={28} height={28} />
          {shellTexts.product}
        </Group>
        <Title order={1}>{loginTexts.title}</Title>
        <p>{loginTexts.why}</p>
        {isWall && <p>{wallTexts.link}</p>}
        <LoginForm why={why} leaves />
      </Stack>{' '}
    </Paper>
  </Center>
);
