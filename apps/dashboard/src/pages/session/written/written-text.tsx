import { Button, Group, Loader, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconMessageChatbot } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { WrittenPart } from '@fleet/contracts/results';
import { plainLine } from '@fleet/session-report';
import { Ago } from '../../../parts/time';
import { Failure } from '../../../parts/failure';
import type { WrittenWords } from '../../../texts/written';
import { markedPieces } from './marked-text';
import { useWritten, type WrittenSource, type WrittenView, type WrittenWork } from './use-written';
import { Note } from '../../../parts/note';
import css from './written.module.css';

interface WrittenProps<V extends WrittenView> {
  readonly words: WrittenWords;
  readonly source: WrittenSource<V>;
  readonly view: V;
  readonly work: WrittenWork<V>;
}

const Part = ({ part, words }: { readonly part: WrittenPart<string>; readonly words: WrittenWords }): ReactElement => (
  <section className={css.part} data-testid="written-part" data-part={part.part}>
    <h3>{plainLine(part.title)}</h3>
    <p>
      {markedPieces(part).map(({ text, isMarked }, at) =>
        isMarked ? (
          <mark key={at} className={css.unsupported} title={words.marked}>
            {plainLine(text)}
            <VisuallyHidden component="span"> ({words.marked})</VisuallyHidden>
          </mark>
        ) : (
          plainLine(text)
        ),
      )}
    </p>
  </section>
);

/** Author and time of the text, and the meaning of its marks. */
const Writer = <V extends WrittenView>({ words, source, view }: WrittenProps<V>): ReactElement => {
  if (view.writtenBy === 'rules') return <p className="quiet">{words.byRules}</p>;
  const { model = '', target = '', writtenAt } = view;
  const hasMarks = view.parts.some(({ unsupported = [] }) => unsupported.length > 0);
  return (
    <>
      <p>
        <IconMessageChatbot size={16} aria-hidden="true" /> {plainLine(words.byModel(model, target))},{' '}
        <Ago at={writtenAt} />. {!source.isCurrent(view) && <b>{words.older}</b>}
      </p>
      <p className="quiet small">
        {words.opinion}{' '}
        {hasMarks && (
          <mark className={css.unsupported} aria-hidden="true">
            0.00
          </mark>
        )}{' '}
        {hasMarks ? words.legend : words.noneMarked}
      </p>
    </>
  );
};

/** The state of a request to a model. */
const RequestState = <V extends WrittenView>({ words, work, view }: WrittenProps<V>): ReactElement => {
  if (view.state === 'pending')
    return (
      <Group component="p" gap={10}>
        <Loader size={16} aria-hidden="true" />
        <span>
          {words.waiting} {view.requestedAt !== undefined && <Ago at={view.requestedAt} />}. {words.waitingMeanwhile}
        </span>
      </Group>
    );
  if (view.state === 'failed')
    return (
      <Note color="yellow">
        <p>
          <b>{words.failed}</b> {plainLine(view.why ?? view.failed ?? '')}
        </p>
        <p>{words.stands}</p>
      </Note>
    );
  if (work.result === 'no model') return <p>{words.noModel}</p>;
  return work.result === 'answered' ? <VisuallyHidden component="p">{words.answered}</VisuallyHidden> : <></>;
};

const Asking = <V extends WrittenView>({ words, work, view }: WrittenProps<V>): ReactElement => (
  <>
    {work.mayAsk && (
      <Button
        size="xs"
        variant="default"
        title={words.hint}
        leftSection={<IconMessageChatbot size={14} />}
        loading={work.isAsking}
        onClick={work.ask}
      >
        {view.writtenBy === 'model' || view.state === 'failed' ? words.askAgain : words.ask}
      </Button>
    )}
    {work.refused !== null && (
      <Text role="alert" c="red">
        {work.refused.message}
      </Text>
    )}
  </>
);

/**
 * A text by the rules at once, and by a model on request.
 * @param name accessible name
 */
export const WrittenText = <V extends WrittenView>({
  name,
  source,
  words,
}: {
  readonly name: string;
  readonly source: WrittenSource<V>;
  readonly words: WrittenWords;
}): ReactElement => {
  const work = useWritten(source);
  const { view, error } = work;
  if (view === undefined)
    return error === null ? <Skeleton height={200} /> : <Failure error={error} onAgain={work.readAgain} />;
  const props = { words, source, view, work };
  return (
    <Stack component="section" className={css.written} gap={10} data-testid={name} data-state={view.state}>
      <Group justify="space-between">
        {words.title !== undefined && <h2>{words.title}</h2>}
        <Asking {...props} />
      </Group>
      <Writer {...props} />
      {source.rulesOnly && <p className="quiet">{words.rulesOnly}</p>}
      <div aria-live="polite">
        <RequestState {...props} />
      </div>
      {view.parts.map((part) => (
        <Part key={part.part} part={part} words={words} />
      ))}
    </Stack>
  );
};
