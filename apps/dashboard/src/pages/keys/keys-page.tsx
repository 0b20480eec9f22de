import { Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { IconKey, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { may } from '@fleet/access';
import type { ApiKeyView, MeView, NewApiKey } from '@fleet/contracts/access';
import { plainLine } from '@fleet/session-report';
import { api, serverNow } from '../../api/calls';
import { keepKey, storedKey } from '../../api/session-key';
import { Asking } from '../../parts/asking';
import { ForThose } from '../operations/for-those';
import { OperationsHead } from '../operations/operations-head';
import { Section } from '../operations/section';
import { useTitle } from '../../parts/use-title';
import { keyTexts as words } from '../../texts/keys';
import { keysShown } from './key-state';
import { KeyTable } from './key-table';
import { CreatedKeyDialog } from './created-key-dialog';
import { NewKeyDialog } from './new-key-dialog';
import { Page } from '../../parts/page';

/** Polling interval, in milliseconds. */
const askMs = 30_000;

/** The text of a key contains its id. */
const isOwn = ({ id }: ApiKeyView): boolean => storedKey()?.includes(id) === true;

const Revoking = ({ of, onClose }: { readonly of: ApiKeyView; readonly onClose: () => void }): ReactElement => {
  const queries = useQueryClient();
  const { ask, what, yours, button } = words.revoke;
  return (
    <Asking
      words={{ ask: ask(plainLine(of.owner)), what: what(of.id, plainLine(of.label)), button }}
      color="red"
      work={async () => {
        await api.json('POST /v1/admin/keys/{id}/revocation', { path: { id: of.id } });
        await queries.invalidateQueries({ queryKey: isOwn(of) ? [] : ['keys'] });
      }}
      onClose={onClose}
    >
      {isOwn(of) && <Text c="red">{yours}</Text>}
    </Asking>
  );
};

const Making = ({ me }: { readonly me: MeView }): ReactElement => {
  const queries = useQueryClient();
  const [step, setStep] = useState<'asked' | NewApiKey>();
  // A gateway without keys has open access.
  const isFirst = me.id === '';
  const show = (made: NewApiKey): void => {
    if (isFirst) keepKey(made.key);
    setStep(made);
  };
  return (
    <>
      <Button size="xs" leftSection={<IconKey size={14} />} onClick={() => setStep('asked')}>
        {words.make.open}
      </Button>
      {step === 'asked' && <NewKeyDialog isFirst={isFirst} onCreated={show} onClose={() => setStep(undefined)} />}
      {step !== undefined && step !== 'asked' && (
        <CreatedKeyDialog
          made={step}
          onClose={() => {
            setStep(undefined);
            void queries.invalidateQueries(isFirst ? {} : { queryKey: ['keys'] });
          }}
        />
      )}
    </>
  );
};

const Listed = ({ keys, me }: { readonly keys: readonly ApiKeyView[]; readonly me: MeView }): ReactElement => {
  const [text, setText] = useState('');
  const [all, setAll] = useState(false);
  const [asked, setAsked] = useState<ApiKeyView>();
  const shown = keysShown(keys, { text, all }, serverNow());
  return (
    <>
      <p className="quiet">{keys.length === 0 ? words.none : words.what}</p>
      <Group gap="xs">
        <TextInput
          size="xs"
          aria-label={words.find}
          placeholder={words.find}
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Switch
          size="sm"
          label={words.over}
          checked={all}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
        <span className="quiet" role="status">
          {words.shown(shown.length)}
        </span>
        <Making me={me} />
      </Group>
      {shown.length > 0 && <KeyTable keys={shown} onRevoke={setAsked} />}
      {asked !== undefined && <Revoking of={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
};

const Shown = ({ me }: { readonly me: MeView }): ReactElement => {
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => api.json('GET /v1/admin/keys', {}, { signal }),
    refetchInterval: askMs,
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={words.name} name="key-list" query={keys}>
      {(data) => <Listed keys={data.keys} me={me} />}
    </Section>
  );
};

/** All keys; administrators create and revoke them. */
export const KeysPage = (): ReactElement => {
  useTitle(words.name);
  return (
    <Page>
      <OperationsHead />
      <ForThose may={(me) => may(me, 'keys.read')} refused={words.refused}>
        {(me) => <Shown me={me} />}
      </ForThose>
    </Page>
  );
};
