import { Button, Table } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { DeadCause, DeadStep, DeadStepsView, StepsRetried } from '@fleet/contracts/queues';
import { plainLine } from '@fleet/session-report';
import { api } from '../../api/calls';
import { Asking } from '../../parts/asking';
import { Ago } from '../../parts/time';
import { Listing } from '../../parts/listing';
import { operationsTexts } from '../../texts/operations';

const words = operationsTexts.deadSteps;

const Cause = ({ of, onRetry }: { readonly of: DeadCause; readonly onRetry: () => void }): ReactElement => (
  <Table.Tr data-cause={of.cause}>
    <Table.Td>
      {plainLine(of.cause)}
      <span className="quiet small">{of.queue}</span>
    </Table.Td>
    <Table.Td className="number">{of.steps}</Table.Td>
    <Table.Td>
      <Ago at={of.firstAt} />
    </Table.Td>
    <Table.Td>
      <Button size="xs" variant="default" leftSection={<IconRepeat size={14} />} onClick={onRetry}>
        {words.open}
      </Button>
    </Table.Td>
  </Table.Tr>
);

const Step = ({ step }: { readonly step: DeadStep }): ReactElement => (
  <Table.Tr data-step={step.id}>
    <Table.Td>
      {step.sessionId === undefined ? (
        plainLine(step.id)
      ) : (
        <Link to="/sessions/$id" params={{ id: step.sessionId }} search={{}}>
          {step.sessionId}
        </Link>
      )}
      <span className="quiet small">{words.states[step.state]}</span>
    </Table.Td>
    <Table.Td>{plainLine(step.reason)}</Table.Td>
    <Table.Td className="number">{step.failures}</Table.Td>
    <Table.Td>
      <Ago at={step.lastAt} />
    </Table.Td>
  </Table.Tr>
);

const retriedText = ({ retried, unchanged }: StepsRetried): string => {
  const [first] = unchanged;
  return `${words.retried(retried.length)} ${first === undefined ? '' : words.unchanged(unchanged.length, first.reason)}`;
};

/** Steps that failed for good, by cause, and a retry for all of a cause. */
export const DeadStepsPanel = ({ dead }: { readonly dead: DeadStepsView }): ReactElement => {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<DeadCause>();
  const [said, setSaid] = useState('');
  const retry = async (cause: string): Promise<void> => {
    setSaid(retriedText(await api.json('POST /v1/admin/steps/retry', { body: { cause } })));
    await queries.invalidateQueries({ queryKey: ['operations'] });
  };
  return (
    <>
      <p className="quiet">
        {words.what} {dead.causes.length === 0 && words.none}
      </p>
      {said !== '' && <p role="status">{plainLine(said)}</p>}
      {dead.causes.length > 0 && (
        <>
          <Listing columns={[words.cause, words.steps, words.since, words.act]}>
            {dead.causes.map((cause) => (
              <Cause key={`${cause.cause} ${cause.queue}`} of={cause} onRetry={() => setAsked(cause)} />
            ))}
          </Listing>
          <Listing columns={[words.session, words.reason, words.failures, words.last]}>
            {dead.steps.map((step) => (
              <Step key={step.id} step={step} />
            ))}
          </Listing>
          <p className="quiet small">
            {dead.more > 0 && words.more(dead.more)} {words.drop}
          </p>
        </>
      )}
      {asked !== undefined && (
        <Asking
          words={{ ask: words.ask(plainLine(asked.cause)), what: words.check, button: words.button }}
          work={() => retry(asked.cause)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
};
