import { Alert, Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts';
import { logLine } from '../format/log-lines';
import { sizeText } from '../format/sizes';
import { texts } from '../texts';
import { LogLinesView } from './log-lines-view';
import { useLog, type LogOf } from './use-log';

const Found = ({ lines, words }: { readonly lines: readonly string[]; readonly words: string }): ReactElement => {
  if (words === '') return <></>;
  const count = lines.filter((line) => line.toLowerCase().includes(words.toLowerCase())).length;
  return <span className="quiet small">{texts.log.found(count)}</span>;
};

/** One log: its end, and what is written from now on. */
const LogView = ({ of }: { readonly of: LogOf }): ReactElement => {
  const { lines, rest, from, complete, error, showEarlier } = useLog(of);
  const [isFollowing, setFollowing] = useState(true);
  const [words, setWords] = useState('');
  const shown = useMemo(() => {
    const all = rest === '' ? lines : [...lines, rest];
    return all.map((line) => logLine(line, texts.log.cut));
  }, [lines, rest]);
  return (
    <>
      <div className="log-tools">
        <TextInput
          size="xs"
          aria-label={texts.log.search}
          placeholder={texts.log.search}
          leftSection={<IconSearch size={14} />}
          value={words}
          onChange={({ currentTarget }) => {
            setWords(currentTarget.value);
          }}
        />
        <Found lines={shown} words={words} />
        <Switch
          size="sm"
          label={texts.log.follow}
          checked={isFollowing}
          onChange={({ currentTarget }) => {
            setFollowing(currentTarget.checked);
          }}
        />
        <span className="quiet small">{complete ? texts.log.complete : texts.log.growing}</span>
        <span className="quiet small">{texts.log.lines(shown.length)}</span>
      </div>
      {error !== undefined && <Alert color="red">{error.message}</Alert>}
      {from > 0 && (
        <p className="quiet small">
          {texts.log.skipped(sizeText(from))}{' '}
          <Button size="compact-xs" variant="default" onClick={showEarlier}>
            {texts.log.earlier}
          </Button>
        </p>
      )}
      {shown.length === 0 && error === undefined ? (
        <p className="empty">{texts.log.empty}</p>
      ) : (
        <LogLinesView lines={shown} words={words} isFollowing={isFollowing} onFollow={setFollowing} />
      )}
    </>
  );
};

interface Asked {
  readonly session: SessionView;
  readonly cycle: string | undefined;
  readonly attempt: string | undefined;
}

/** The log of a cycle, chosen in the address. */
export const LogPanel = ({ session, cycle, attempt }: Asked): ReactElement => {
  const navigate = useNavigate();
  const last = session.cycles.at(-1);
  if (last === undefined) return <p className="empty">{texts.session.noCycles}</p>;
  const of = {
    id: session.id,
    cycle: Number(cycle ?? last.cycle),
    attempt: attempt === undefined ? undefined : Number(attempt),
  };
  return (
    <section>
      <NativeSelect
        size="xs"
        aria-label={texts.log.of}
        className="log-choice"
        data={session.cycles.toReversed().map(({ cycle: number, decision }) => ({
          value: String(number),
          label: `${String(number)} · ${decision.program}`,
        }))}
        value={String(of.cycle)}
        onChange={({ currentTarget }) => {
          const search = { view: 'log', cycle: currentTarget.value } as const;
          void navigate({ to: '/sessions/$id', params: { id: session.id }, search, resetScroll: false });
        }}
      />
      <LogView key={`${String(of.cycle)}-${String(of.attempt)}`} of={of} />
    </section>
  );
};
