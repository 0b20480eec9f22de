import { Alert, Button, Group, NativeSelect, Paper, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { bytesText } from '@fleet/session-report';
import { logTexts, sessionTexts } from '../../texts/session';
import { LogLinesView, shownLine } from './log-lines-view';
import { lookedThrough, useLog, type LogOf, type ShownLog } from './use-log';
import css from './session.module.css';

const Found = ({ lines, words }: { readonly lines: readonly string[]; readonly words: string }): ReactElement => {
  const count = useMemo(() => {
    const wanted = words.toLowerCase();
    return words === '' ? 0 : lines.filter((line) => shownLine(line).toLowerCase().includes(wanted)).length;
  }, [lines, words]);
  return words === '' ? <></> : <span className="quiet small">{logTexts.found(count)}</span>;
};

/** The number of a line, as a link that can be shared. It is skipped by the Tab key, because there are too many. */
const LineNumber = ({
  of: { id, cycle },
  attempt,
  line,
}: {
  readonly of: LogOf;
  readonly attempt: number;
  readonly line: number;
}): ReactElement => (
  <Link
    to="/sessions/$id"
    params={{ id }}
    search={{ view: 'log', cycle: String(cycle), attempt: String(attempt), line: String(line) }}
    className={css.number}
    data-testid="log-number"
    aria-label={logTexts.number(line)}
    tabIndex={-1}
    resetScroll={false}
  >
    {line}
  </Link>
);

/** The hidden part of the log, with a link to it. */
const Left = ({
  of,
  log,
}: {
  readonly of: LogOf;
  readonly log: ShownLog & { readonly showEarlier: () => void };
}): ReactElement => {
  const { from, partly, lines } = log;
  const isBeyond = of.line !== undefined && partly && of.line > lines.length;
  return (
    <>
      {from > 0 && (
        <p className="quiet small">
          {logTexts.skipped(bytesText(from))}{' '}
          <Button size="compact-xs" variant="default" onClick={log.showEarlier}>
            {logTexts.earlier}
          </Button>
        </p>
      )}
      {partly && (
        <p className="quiet small">
          {isBeyond && <b>{logTexts.beyond(of.line, bytesText(lookedThrough))} </b>}
          {logTexts.partly}{' '}
          <Link
            to="/sessions/$id"
            params={{ id: of.id }}
            search={{
              view: 'log',
              cycle: String(of.cycle),
              ...(of.attempt !== undefined && { attempt: String(of.attempt) }),
            }}
          >
            {logTexts.toEnd}
          </Link>
        </p>
      )}
    </>
  );
};

/** One log: its end and new lines, or the line in the URL. */
const LogView = ({ of }: { readonly of: LogOf }): ReactElement => {
  const log = useLog(of);
  const { lines, rest, from, complete, attempt, error } = log;
  const [isFollowing, setFollowing] = useState(of.line === undefined);
  const [words, setWords] = useState('');
  const shown = useMemo(() => (rest === '' ? lines : [...lines, rest]), [lines, rest]);
  return (
    <>
      <Group gap="md" mb="xs">
        <TextInput
          size="xs"
          aria-label={logTexts.search}
          placeholder={logTexts.search}
          leftSection={<IconSearch size={14} />}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <Found lines={shown} words={words} />
        <Switch
          size="sm"
          label={logTexts.follow}
          checked={isFollowing}
          onChange={({ currentTarget }) => setFollowing(currentTarget.checked)}
        />
        <span className="quiet small">{complete ? logTexts.complete : logTexts.growing}</span>
        <span className="quiet small">{logTexts.lines(shown.length)}</span>
      </Group>
      {error !== undefined && <Alert color="red">{error.message}</Alert>}
      <Left of={of} log={log} />
      {shown.length === 0 && error === undefined ? (
        <Paper component="p" p={40} ta="center" c="dimmed">
          {logTexts.empty}
        </Paper>
      ) : (
        <LogLinesView
          lines={shown}
          words={words}
          isFollowing={isFollowing}
          onFollow={setFollowing}
          line={of.line}
          before={(line) => from === 0 && <LineNumber of={of} attempt={attempt} line={line} />}
        />
      )}
    </>
  );
};

interface LogPanelProps {
  readonly session: SessionView;
  readonly cycle: string | undefined;
  readonly attempt: string | undefined;
  readonly line: string | undefined;
}

/** The log of the cycle in the URL. */
export const LogPanel = ({ session, cycle, attempt, line }: LogPanelProps): ReactElement => {
  const navigate = useNavigate();
  const last = session.cycles.at(-1);
  if (last === undefined)
    return (
      <Paper component="p" p={40} ta="center" c="dimmed">
        {sessionTexts.noCycles}
      </Paper>
    );
  const of = {
    id: session.id,
    cycle: Number(cycle ?? last.cycle),
    attempt: attempt === undefined ? undefined : Number(attempt),
    line: line === undefined ? undefined : Number(line),
  };
  return (
    <section>
      <NativeSelect
        size="xs"
        aria-label={logTexts.of}
        maw={320}
        mb="sm"
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
      <LogView key={[of.cycle, of.attempt, of.line].join(' ')} of={of} />
    </section>
  );
};
