import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelsConfig, StorageConfig } from '@fleet/config';
import type { Answerer, Planner, PlanningWatch } from '@fleet/decision-graph';
import {
  openTargets,
  readModelsFile,
  type ModelsSettings,
  type OpenTargets,
  type TargetSettings,
} from '@fleet/model-targets';
import {
  systemClock,
  type Metrics,
  type ModelBreaker,
  type ModelBudgets,
  type ModelLedger,
  type ModelReplies,
  type ModelWork,
  type Tracing,
} from '@fleet/ports';
import { tracedTarget } from '@fleet/observability';
import type { RuleBook } from '@fleet/knowledge-model';
import type { StepPorts } from '@fleet/steps';
import type { Logger } from '@nestjs/common';
import type { ModelLane } from './model-lane';
import { PlanningWatches } from './planning-watches';

const labelOf = ({ id, model, baseUrl, local }: TargetSettings): string =>
  `${id} (${model} at ${new URL(baseUrl).host}${local ? ', local' : ''})`;

/** Configuration and shared state of models: replies, requests, failing targets, and the lane for their steps. */
interface PlannerDependencies {
  readonly models: Pick<ModelsConfig, 'file'>;
  readonly storage: Pick<StorageConfig, 'workRoot'>;
  readonly ports: Pick<StepPorts, 'records' | 'schedule'>;
  readonly lane: Pick<ModelLane, 'enter'>;
  readonly replies: ModelReplies;
  readonly ledger: ModelLedger;
  readonly breaker: ModelBreaker;
  readonly metrics: Pick<Metrics, 'count' | 'observe' | 'declare'>;
  readonly tracing: Pick<Tracing, 'during' | 'here'>;
  readonly log: Pick<Logger, 'log' | 'warn'>;
}

const noModels: ModelsSettings = { planning: [], directives: [], analysis: [], cheap: [], providers: [], budgets: {} };

const labelsOf = (targets: readonly TargetSettings[]): string => targets.map(labelOf).join(', ');

/** The models that plan, read advice and assess sessions; none without a models file. */
export class SitePlanner {
  private readonly opened: OpenTargets;
  private readonly readers: OpenTargets;
  private readonly assessors: OpenTargets;
  private readonly summarisers: OpenTargets;
  /** For requests of the v2 decision API, by provider. */
  private readonly answerers: ReadonlyMap<string, OpenTargets>;
  private readonly budgets: ModelBudgets;
  private readonly watches: PlanningWatches;

  /** @throws ConfigError if the file is invalid */
  constructor(private readonly dependencies: PlannerDependencies) {
    const { log, metrics, ledger, ports, storage } = dependencies;
    const { file } = dependencies.models;
    const {
      planning: settings,
      directives: readers,
      analysis: assessors,
      cheap: summarisers,
      providers,
      budgets,
    } = file === undefined ? noModels : readModelsFile(file, storage.workRoot);
    this.opened = openTargets(settings);
    this.readers = openTargets(readers);
    this.assessors = openTargets(assessors);
    this.summarisers = openTargets(summarisers);
    this.answerers = new Map(providers.map(({ name, targets }) => [name, openTargets(targets)]));
    this.budgets = budgets;
    metrics.declare('target', [
      ...new Set(
        [settings, readers, assessors, summarisers, ...providers.map(({ targets }) => targets)]
          .flat()
          .map(({ id }) => id),
      ),
    ]);
    this.watches = new PlanningWatches({
      ...ports,
      ledger,
      onTrouble: (error) =>
        log.warn({ message: 'A session is unreadable during its model call', error: String(error) }),
    });
    log.log(
      settings.length === 0
        ? 'The rules decide alone: FLEET_MODELS_FILE is not set, and no model is asked.'
        : `Models for the next program, in this order: ${labelsOf(settings)}.`,
    );
    if (readers.length > 0) log.log(`Models that read advice, in this order: ${labelsOf(readers)}.`);
    for (const { name, targets } of providers)
      log.log(`Models for v2 requests with the provider ${name}, in this order: ${labelsOf(targets)}.`);
    if (summarisers.length > 0) log.log(`Models for log summaries, in this order: ${labelsOf(summarisers)}.`);
    if (assessors.length > 0) log.log(`Models for assessments, in this order: ${labelsOf(assessors)}.`);
  }

  /** Undefined: only the rules decide. */
  planner(ruleBook: RuleBook): Planner | undefined {
    return this.asking(this.opened, ruleBook);
  }

  /** Undefined: only the rules read advice. */
  reader(ruleBook: RuleBook): Planner | undefined {
    return this.asking(this.readers, ruleBook);
  }

  /** Undefined: only the rules assess sessions. */
  assessor(ruleBook: RuleBook): Planner | undefined {
    return this.beside(this.assessors, ruleBook);
  }

  /** Undefined: only the rules summarise logs. */
  summariser(ruleBook: RuleBook): Planner | undefined {
    return this.beside(this.summarisers, ruleBook);
  }

  /** Providers for requests of the v2 decision API. */
  get providers(): readonly string[] {
    return [...this.answerers.keys()];
  }

  /** For requests of the v2 decision API. Undefined: the provider is unknown. */
  answerer(provider: string): Answerer | undefined {
    const opened = this.answerers.get(provider);
    return opened && this.ways(opened);
  }

  /** @param isWanted whether a caller still waits for an answer */
  openBeside(work: ModelWork, isWanted: () => Promise<boolean>): Promise<PlanningWatch> {
    return this.watches.openBeside(work, isWanted);
  }

  onModuleDestroy(): void {
    this.watches.onModuleDestroy();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(
      [this.opened, this.readers, this.assessors, this.summarisers, ...this.answerers.values()].map((one) =>
        one.close(),
      ),
    );
  }

  private asking(opened: OpenTargets, ruleBook: RuleBook): Planner | undefined {
    const { replies, lane } = this.dependencies;
    if (opened.targets.length === 0) return undefined;
    return {
      ...this.ways(opened),
      ruleBook,
      replies,
      watch: (session, work) => {
        lane.enter();
        return this.watches.open(session, work);
      },
    };
  }

  /** For work beside the steps. */
  private beside(opened: OpenTargets, ruleBook: RuleBook): Planner | undefined {
    const request = this.asking(opened, ruleBook);
    return request && { ...request, mayWait: false, watch: (_session, work) => this.watches.openBeside(work) };
  }

  private ways({ targets }: OpenTargets): Answerer {
    const { ledger, breaker, metrics, tracing, log } = this.dependencies;
    return {
      targets: targets.map((target) => tracedTarget(target, tracing)),
      accounting: { ledger, breaker, budgets: this.budgets, clock: systemClock, metrics },
      sleep: (ms, signal) =>
        sleep(ms, undefined, { signal }).catch((error: unknown) => {
          if (signal?.aborted !== true) throw error;
        }),
      onUnkept: (error) =>
        log.warn({
          message: 'The reply of a model could not be stored; it is used nevertheless',
          error: String(error),
        }),
    };
  }
}
