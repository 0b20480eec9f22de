import { Alert, Button, PasswordInput } from '@mantine/core';
import { IconKey, IconLogin2 } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { fetchIdentity, fetchMe } from '../api/calls';
import { forgetKey, keepKey } from '../api/session-key';
import { texts } from '../texts';
import { addressOfLogin } from './address-of-login';

interface Entering {
  /** What the gateway says of the key or login that there was. */
  readonly why: string | undefined;
  /** Whether the page goes to the provider and comes back, or stays as it is: then the provider has a tab of its own. */
  readonly leaves: boolean;
}

/** The login of the facility, where the gateway has one. */
const ProviderButton = ({ leaves }: Pick<Entering, 'leaves'>): ReactElement => {
  const identity = useQuery({ queryKey: ['identity'], queryFn: ({ signal }) => fetchIdentity(signal) });
  const browser = identity.data?.provider?.browser;
  if (browser === undefined) return <></>;
  return (
    <>
      <Button
        component="a"
        href={addressOfLogin(browser.address, window.location)}
        leftSection={<IconLogin2 size={18} />}
        {...(!leaves && { target: '_blank', rel: 'noopener' })}
      >
        {texts.login.at(browser.name)}
      </Button>
      {!leaves && <p className="quiet">{texts.login.tab}</p>}
      <p className="or quiet">{texts.login.or}</p>
    </>
  );
};

/** Asks who somebody is: by the login of the facility, or by a key. */
export const LoginForm = ({ why, leaves }: Entering): ReactElement => {
  const queries = useQueryClient();
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const enter = async (): Promise<void> => {
    if (key.trim() === '') {
      setProblem(texts.login.empty);
      return;
    }
    setAsking(true);
    // Whatever is asked without it would be answered with a refusal.
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
  const said = problem ?? why;
  return (
    <form className="login-ways" onSubmit={send}>
      {said !== undefined && (
        <Alert color="red" role="alert">
          {said}
        </Alert>
      )}
      <ProviderButton leaves={leaves} />
      <PasswordInput
        label={texts.login.key}
        leftSection={<IconKey size={16} />}
        autoComplete="off"
        data-autofocus
        value={key}
        onChange={({ currentTarget }) => {
          setKey(currentTarget.value);
        }}
      />
      <Button type="submit" variant="default" loading={isAsking}>
        {texts.login.send}
      </Button>
      <p className="quiet">{texts.login.hint}</p>
    </form>
  );
};
