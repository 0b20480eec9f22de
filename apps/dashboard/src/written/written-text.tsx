import '../styles/written.css';
import { Button, Loader, Skeleton } from '@mantine/core';
import { IconMessageChatbot } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { WrittenPart } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { Ago } from '../format/time';
import { Failure } from '../shell/failure';
import type { WrittenWords } from '../texts-written';
import { markedPieces } from './marked-text';
import { useWritten, type WrittenSource, type WrittenView, type WrittenWork } from './use-written';

interface Said<V extends WrittenView> {
  readonly words: WrittenWords;
  readonly source: WrittenSource<V>;
  readonly view: V;
  readonly work: WrittenWork<V>;
}

const Part = ({ part, words }: { readonly part: WrittenPart<string>; readonly words: WrittenWords }): ReactElement => (
  <section className="written-part" data-part={part.part}>
    <h3>{plainLine(part.title)}</h3>
    <p>
      {markedPieces(part).map(({ text, isMarked }, at) =>
        isMarked ? (
          <mark key={at} className="unsupported" title={words.marked}>
            {plainLine(text)}
            <span className="hidden"> ({words.marked})</span>
          </mark>
        ) : (
          plainLine(text)
        ),
      )}
    </p>
  </section>
);

/** Who wrote it and when, and what its marks mean. */
const Writer = <V extends WrittenView>({ words, source, view }: Said<V>): ReactElement => {
  if (view.writtenBy === 'rules') return <p className="quiet">{words.byRules}</p>;
  const { model = '', target = '', writtenAt } = view;
  const hasMarks = view.parts.some(({ unsupported = [] }) => unsupported.length > 0);
  return (
    <>
      <p>
        <IconMessageChatbot size={16} className="written-icon" aria-hidden="true" />{' '}
        {plainLine(words.byModel(model, target))}, <Ago at={writtenAt} />.{' '}
        {!source.isCurrent(view) && <b>{words.older}</b>}
      </p>
      <p className="quiet small">
        {words.opinion}{' '}
        {hasMarks && (
          <mark className="unsupported" aria-hidden="true">
            0.00
          </mark>
        )}{' '}
        {hasMarks ? words.legend : words.noneMarked}
      </p>
    </>
  );
};

/** The outcome of asking a model, or comes of it. */
const Standing = <V extends WrittenView>({ words, work, view }: Said<V>): ReactElement => {
  if (view.state === 'asked')
    return (
      <p className="written-waiting">
        <Loader size={16} aria-hidden="true" />
        <span>
          {words.waiting} {view.askedAt !== undefined && <Ago at={view.askedAt} />}. {words.waitingMeanwhile}
        </span>
      </p>
    );
  if (view.state === 'failed')
    return (
      <div className="written-failed">
        <p>
          <b>{words.failed}</b> {plainLine(view.why ?? view.failed ?? '')}
        </p>
        <p>{words.stands}</p>
      </div>
    );
  if (work.came === 'no model') return <p>{words.noModel}</p>;
  return work.came === 'answered' ? <p className="hidden">{words.answered}</p> : <></>;
};

const Asking = <V extends WrittenView>({ words, work, view }: Said<V>): ReactElement => (
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
      <p role="alert" className="mark-failed">
        {work.refused.message}
      </p>
    )}
  </>
);

/**
 * A text that the rules write at once, and a model when somebody asks for it.
 * @param name what it is called, to be found by
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
  const said = { words, source, view, work };
  return (
    <section className="written" data-testid={name} data-state={view.state}>
      <div className="written-head">
        {words.title !== undefined && <h2>{words.title}</h2>}
        <Asking {...said} />
      </div>
      <Writer {...said} />
      {source.rulesOnly && <p className="quiet">{words.rulesOnly}</p>}
      <div aria-live="polite">
        <Standing {...said} />
      </div>
      {view.parts.map((part) => (
        <Part key={part.part} part={part} words={words} />
      ))}
    </section>
  );
};
