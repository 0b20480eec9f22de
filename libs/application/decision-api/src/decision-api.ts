import { isFault } from '@fleet/contracts/faults';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { JsonValue, Session, SessionEvent, SessionStop } from '@fleet/contracts/sessions';
import { usesAsDescribed } from '@fleet/commands';
import { joinedSlots, type RuleBook } from '@fleet/knowledge-model';
import { isoTime, type Clock } from '@fleet/ports';
import { metricEvents } from '@fleet/session-report';
import { describeSession, openMenu, shouldStopAfter } from '@fleet/workflow';
import type { DecideRequest } from './request/read-request';
import { readRequest } from './request/read-request';
import { buildErrorResponse, buildResponse, type Outcome, type Assessment } from './response/build-response';
import { asDocument, type DecideResponse } from './response/decide-response';
import { planningOf } from './response/planning';
import type { RequestAdvice } from './session/advice-of-request';
import type { KnownFacts } from './session/client-files';
import { logReader } from './session/read-log';
import { sessionOfRequest } from './session/session-of-request';
import { withEndOfLog } from './session/whole-log';
import { buildTransport, type Transport } from './transport/transport';

/** The decision graph as this API uses it. */
interface Decider {
  decide(input: {
    readonly session: Session;
    readonly catalogue: ProgramCatalogue;
    /** Paths of session files that the client no longer has. */
    readonly missing: ReadonlySet<string>;
    /** A stop condition that already holds: the decider reports its analysis and ends with it. */
    readonly stop?: SessionStop;
    readonly now: string;
  }): Promise<Outcome>;
}

/** Models that may be used for a decision. */
export interface ModelsOfSite {
  /** Valid values of `settings.provider`. */
  readonly providers: readonly string[];
  /** A decider with the models of that provider. */
  readonly deciderFor: (provider: string) => Decider;
}

export interface DecisionApiParts {
  readonly ruleBook: RuleBook;
  readonly decider: Decider;
  readonly clock: Clock;
}

export interface DecisionApi {
  readonly transport: Transport;
  /** Responds to a request document; an invalid one gets a response with `error` set. */
  answer(document: unknown, known?: KnownFacts, models?: ModelsOfSite): Promise<DecideResponse>;
  /** The same for encoded text; the response is encoded too. */
  answerEncoded(
    encoded: string,
    known?: KnownFacts,
    models?: ModelsOfSite,
  ): Promise<{ readonly encoded: string; readonly failed: boolean }>;
  /** Sends a request through the transport and back inside this process, which reveals transport errors. */
  answerAsRemote(document: JsonValue, known?: KnownFacts): Promise<DecideResponse>;
}

/** Assumes a complete PHENIX installation: every program of the rule book is available. */
const wholePhenix = ({ programs }: RuleBook, now: string): ProgramCatalogue => ({
  backend: 'local',
  probedAt: now,
  programs: [...new Set(Object.values(programs).map(({ name, runs_as }) => runs_as ?? name))].map((program) => ({
    program,
    provider: 'phenix',
    version: 'of the client',
    command: [program],
  })),
});

/** Undefined for a session that contradicts itself; the decision reports it. */
const unlessContradiction = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch (error) {
    if (isFault(error) && error.kind === 'caller') return undefined;
    throw error;
  }
};

interface DecisionMaterial {
  readonly session: Session;
  readonly ruleBook: RuleBook;
  readonly catalogue: ProgramCatalogue;
  readonly missing: ReadonlySet<string>;
}

const assessmentOf = (material: DecisionMaterial): Assessment | undefined =>
  unlessContradiction(() => {
    const described = describeSession(material);
    return { described, menu: openMenu(described, material.ruleBook) };
  });

/** Evaluates stop conditions, because the last run has just been analysed; before the first run there is nothing to evaluate. */
const stopOf = (material: DecisionMaterial, advice: RequestAdvice | undefined): SessionStop | undefined => {
  const { session } = material;
  if (advice?.isFollowed === true && advice.reading.stopsNow)
    return { reason: 'goal_reached', detail: 'The user asked to stop.', afterCycle: session.cycles.at(-1)?.cycle ?? 0 };
  return session.cycle === 1 && session.cycles.length === 0
    ? undefined
    : unlessContradiction(() => shouldStopAfter(material));
};

/** The metrics of the last run, as events of this decision. */
const perceivedMetrics = ({ session, ruleBook }: DecisionMaterial, at: string): readonly SessionEvent[] => {
  const last = session.cycles.at(-1);
  if (last?.result === undefined) return [];
  return metricEvents({ session, cycle: last, result: last.result }, ruleBook, (type, message, data = {}) => ({
    type,
    cycle: session.cycle,
    at,
    message,
    data,
  }));
};

/** After the first event, which opens the cycle. */
const withMetrics = (outcome: Outcome, metrics: readonly SessionEvent[]): Outcome => ({
  ...outcome,
  events: [...outcome.events.slice(0, 1), ...metrics, ...outcome.events.slice(1)],
});

/** Selects the decider: models if the request names their provider and allows them, otherwise only the rules. */
const deciderOf = (
  { provider, use_rules_only: rulesOnly }: DecideRequest['settings'],
  models: ModelsOfSite | undefined,
  rules: Decider,
): Decider => (models?.providers.includes(provider) === true && !rulesOnly ? models.deciderFor(provider) : rules);

/** Responds to an invalid request with its problems; other errors are thrown. */
const orError = async (work: () => Promise<DecideResponse>): Promise<DecideResponse> => {
  try {
    return await work();
  } catch (error) {
    if (isFault(error) && error.kind === 'caller') return buildErrorResponse(error);
    throw error;
  }
};

/** Builds the API once; it keeps no state between requests. */
export const buildDecisionApi = ({ ruleBook, decider, clock }: DecisionApiParts): DecisionApi => {
  const transport = buildTransport(ruleBook.transport);
  const readLog = logReader(ruleBook);

  const decide = async (
    document: unknown,
    known: KnownFacts,
    models: ModelsOfSite | undefined,
  ): Promise<DecideResponse> => {
    const start = clock.now();
    const now = isoTime(clock);
    const { request, ignored } = readRequest(document);
    const { session, missing, warnings, advice, ...read } = sessionOfRequest(request, {
      ruleBook,
      readLog,
      known,
      now,
    });
    const material = { session, missing, ruleBook, catalogue: wholePhenix(ruleBook, now) };
    const stop = stopOf(material, advice);
    const decided = await deciderOf(request.settings, models, decider).decide({
      ...material,
      ...(stop === undefined ? {} : { stop }),
      now,
    });
    const outcome = withMetrics(decided, perceivedMetrics(material, now));
    const assessment = outcome.assessment ?? assessmentOf(material);
    return buildResponse({
      outcome,
      ...(assessment === undefined ? {} : { assessment }),
      ...(advice === undefined ? {} : { advice }),
      ignored: [...ignored, ...read.ignored],
      warnings,
      fileUses: assessment === undefined ? [] : usesAsDescribed(session, assessment.described, ruleBook),
      joinedSlots: joinedSlots('decision' in outcome ? ruleBook.programs[outcome.decision.program] : undefined),
      planning: planningOf(request.settings, outcome, models?.providers ?? []),
      durationMs: clock.now() - start,
    });
  };

  const answerEncoded: DecisionApi['answerEncoded'] = async (encoded, known = new Map(), models) => {
    const response = await orError(() => decide(transport.decode(encoded), known, models));
    const sent = transport.cleanResponse(asDocument(response));
    return { encoded: transport.encode(sent), failed: response.error !== null };
  };

  return {
    transport,
    answer: (document, known = new Map(), models) => orError(() => decide(document, known, models)),
    answerEncoded,
    answerAsRemote: async (document, known) => {
      const whole = withEndOfLog(document, readLog, ruleBook);
      const sent = transport.encode(transport.cleanRequest(whole));
      const { encoded } = await answerEncoded(sent, known);
      return transport.decode(encoded) as unknown as DecideResponse;
    },
  };
};
