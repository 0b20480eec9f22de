import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { PromptView } from '@fleet/contracts/results';
import { plainLines } from '@fleet/session-report';
import { api } from '../../../api/calls';
import { Pending } from '../../../parts/failure';
import { traceTexts } from '../../../texts/trace';

const { prompt: words } = traceTexts;

const Message = ({ who, text }: { readonly who: string; readonly text: string }): ReactElement => (
  <>
    <h4>{who}</h4>
    <pre tabIndex={0}>{plainLines(text)}</pre>
  </>
);

const Prompt = ({ prompt }: { readonly prompt: PromptView | undefined }): ReactElement => {
  if (prompt?.messages === undefined) return <p className="quiet">{words.none}</p>;
  const { messages, reply, cut } = prompt;
  return (
    <>
      {messages.map(({ role, text }, at) => (
        <Message key={at} who={words.roles[role]} text={text} />
      ))}
      {reply === undefined ? <p className="quiet">{words.noReply}</p> : <Message who={words.reply} text={reply} />}
      {cut === true && <p className="quiet small">{words.cut}</p>}
    </>
  );
};

const Read = ({
  id,
  cycle,
  hash,
}: {
  readonly id: string;
  readonly cycle: number;
  readonly hash: string;
}): ReactElement => {
  const prompts = useQuery({
    queryKey: ['session', id, 'prompts', cycle],
    queryFn: ({ signal }) =>
      api.json('GET /v1/sessions/{id}/cycles/{cycle}/prompts', { path: { id, cycle: String(cycle) } }, { signal }),
  });
  const { data } = prompts;
  if (data !== undefined) return <Prompt prompt={data.prompts.find((one) => one.hash === hash)} />;
  return <Pending query={prompts} height={120} />;
};

/** The prompt and reply of a model in a cycle, on request. */
export const PromptAndReply = (asked: {
  readonly id: string;
  readonly cycle: number;
  readonly hash: string;
}): ReactElement => {
  const [isShown, setShown] = useState(false);
  if (isShown) return <Read {...asked} />;
  return (
    <Button size="xs" variant="default" onClick={() => setShown(true)}>
      {words.show}
    </Button>
  );
};
