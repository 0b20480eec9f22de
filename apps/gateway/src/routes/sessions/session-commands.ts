import { Inject, Injectable, Optional, type Provider } from '@nestjs/common';
import { CurrentShares } from '@fleet/launches';
import {
  CLOCK,
  FILE_INSPECTOR,
  READABLE_BY,
  SESSION_FOLDER,
  SESSION_RECORDS,
  SESSION_WAKER,
  TRACING,
  untraced,
  type Clock,
  type FileInspector,
  type ReadableBy,
  type SessionFolderPort,
  type SessionRecords,
  type SessionWaker,
  type Tracing,
} from '@fleet/ports';
import {
  CancelSession,
  ChangeAdvice,
  ChangeSessionPriority,
  ForkSession,
  ListFolder,
  ReadSubmission,
  RemoveLastCycles,
  ResumeSession,
  SubmitSession,
  type SessionPorts,
} from '@fleet/sessions';
import { provided } from '@fleet/wiring';
import { PROPOSAL_MEMBERS, type ProposalMembers } from '../../auth/access/proposal-members';
import { FirstSteps } from '../decisions/first-steps.service';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../results/agent-knowledge';
import { commandsOf } from '../commands-of';

/** The ports of session commands in a gateway. */
@Injectable()
export class GatewaySessionPorts implements SessionPorts {
  @Inject(SESSION_RECORDS) readonly records: SessionRecords;
  @Inject(SESSION_FOLDER) readonly folder: SessionFolderPort;
  @Inject(CLOCK) readonly clock: Clock;
  @Inject(SESSION_WAKER) readonly waker: SessionWaker;
  @Inject(FILE_INSPECTOR) readonly inspector: FileInspector;
  @Inject(READABLE_BY) readonly readableBy: ReadableBy;
  @Inject(AGENT_KNOWLEDGE) readonly knowledge: AgentKnowledge;
  @Inject(PROPOSAL_MEMBERS) readonly members: ProposalMembers;
  @Inject() readonly shares: CurrentShares;
  @Inject(GATEWAY_OPTIONS) readonly limits: GatewayOptions;
  @Optional() @Inject(TRACING) readonly tracing: Tracing = untraced;
}

/** The commands for sessions. */
export const sessionCommands: readonly Provider[] = [
  FirstSteps,
  ...commandsOf(GatewaySessionPorts, [
    SubmitSession,
    ForkSession,
    ResumeSession,
    CancelSession,
    ChangeAdvice,
    ChangeSessionPriority,
    RemoveLastCycles,
    ListFolder,
  ]),
  provided(ReadSubmission, GatewaySessionPorts, SubmitSession, FirstSteps),
];
