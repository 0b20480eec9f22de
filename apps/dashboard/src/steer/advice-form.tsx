import '../styles/submit.css';
import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { guidanceOf, type SessionView } from '@fleet/contracts';
import { plainLines } from '@fleet/session-report';
import { AdviceField } from '../submit/advice-field';
import { steerTexts } from '../texts-steer';
import { adviceNow } from './advice-draft';
import type { AdviceWork } from './use-advice';

/** What somebody else has asked for meanwhile. */
const Theirs = ({ session }: { readonly session: SessionView }): ReactElement => (
  <div role="alert" className="finding finding-warning">
    <p>{steerTexts.changed(guidanceOf(session).revision)}</p>
    <p>
      <span className="label">{steerTexts.theirs}</span> <q>{plainLines(adviceNow(session)) || steerTexts.none}</q>
    </p>
  </div>
);

/** Writes advice for a session, with what is understood beside it. */
export const AdviceForm = ({
  session,
  work,
}: {
  readonly session: SessionView;
  readonly work: AdviceWork;
}): ReactElement => {
  const { moment, draft, isOvertaken } = work;
  const label = steerTexts.send[moment === 'ended' ? 'ended' : 'running'];
  return (
    <section className="steer-form" aria-label={steerTexts.title}>
      {isOvertaken && <Theirs session={session} />}
      <AdviceField advice={draft.advice} onChange={work.change} />
      <p className="quiet">{steerTexts.counts[moment]}</p>
      {work.failure !== undefined && (
        <p role="alert" className="mark-failed">
          {work.failure}
        </p>
      )}
      <div className="acts">
        <Button size="xs" disabled={!work.maySend} loading={work.isSending} onClick={work.send}>
          {isOvertaken ? steerTexts.instead : label}
        </Button>
        <Button size="xs" variant="default" disabled={work.isSending} onClick={work.close}>
          {isOvertaken ? steerTexts.discard : steerTexts.leave}
        </Button>
      </div>
    </section>
  );
};
