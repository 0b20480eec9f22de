import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { IconKey, IconLogin2 } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { api, fetchMe } from '../api/calls';
import { forgetKey, keepKey } from '../api/session-key';
import { loginTexts } from '../texts/login';
import { addressOfLogin } from './address-of-login';

interface Entering {
  /** The gateway's message about the previous key or login. */
  readonly why: string | undefined;
  /** Whether the page itself goes to the provider and comes back; otherwise the provider opens in another tab. */
  readonly leaves: boolean;
}

/** The facility's login, if the gateway offers one. */
const ProviderButton = ({ leaves }: Pick<Entering, 'leaves'>): ReactElement => {
  const identity = useQuery({
    queryKey: ['identity'],
    queryFn: ({ signal }) => api.json('GET /v1/identity', {}, { signal }),
  });
  const browser = identity.data?.provider?.browser;
  if (browser === undefined) return <></>;
  return (
    <>
      <Button
        component="a"
        href={addressOfLogin(browser.loginUrl, window.location)}
        leftSection={<IconLogin2 size={18} />}
        {...(!leaves && { target: '_blank', rel: 'noopener' })}
      >
        {loginTexts.at(browser.name)}
      </Button>
      {!leaves && <p className="quiet">{loginTexts.tab}</p>}
      <Text ta="center" c="dimmed">
        {loginTexts.or}
      </Text>
    </>
  );
};

/** Asks for the facility's login, or for a key. */
export const LoginForm = ({ why, leaves }: Entering): ReactElement => {
  const queries = useQueryClient();
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const enter = async (): Promise<void> => {
    if (key.trim() === '') {
      setProblem(loginTexts.empty);
      return;
    }
    setAsking(true);
    // Requests without it would be rejected.
    await queries.cancelQueries({ queryKey: ['me'] });
    keepKey(key.trim());
    try {
      queries.setQueryData(['me'], await fetchMe(new AbortController().signal));
    } catch (error) {
      forgetKey();
      setAsking(false);
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    void enter();
  };
  const message = problem ?? why;
  return (
    <Stack component="form" gap={14} onSubmit={send}>
      {message !== undefined && (
        <Alert color="red" role="alert">
          {message}
        </Alert>
      )}
      <ProviderButton leaves={leaves} />
      <PasswordInput
        label={loginTexts.key}
        leftSection={<IconKey size={16} />}
        autoComplete="off"
        data-autofocus
        value={key}
        onChange={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isAsking}>
        {loginTexts.send}
      </Button>
      <p className="quiet">{loginTexts.hint}</p>
    </Stack>
  );
};
