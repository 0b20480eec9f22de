export {
  aCycle,
  aDecision,
  aFile,
  aMetric,
  aNewSession,
  anAttempt,
  anEvent,
  anId,
  aGuidance,
  aRequest,
  aResult,
  aSession,
  anUpload,
  someSettings,
} from './builders';
export { aProgram, aSlot } from './a-program';
export { accessKeysContract, aKey } from './access-keys.contract';
export { rateLimitsContract } from './rate-limits.contract';
export { crashPoints, MortalProcess, ProcessDied, wordsOf, type CrashPoint, type PortCall } from './crash-points';
export { cpuMilliseconds, cpuMillisecondsOf } from './cpu-time';
export { MemoryLaunchControl } from './memory/memory-launch-control';
export { MemoryRunSlots } from './memory/memory-run-slots';
export { MemorySharesControl } from './memory/memory-shares-control';
export { MemoryStore } from './memory/memory-store';
export { factsBench, inMap, ran, type PastRun } from './facts-bench';
export { ManualClock } from './manual-clock';
export { modelInquiriesContract } from './model-inquiries.contract';
export { siteLooksContract } from './site-looks.contract';
export { modelBreakerContract } from './model-breaker.contract';
export { loginStoreContract } from './login-store.contract';
export { eventually, LocalRuns, logOf, processesOf, publishedFolder, runningFolder } from './local-runs';
export { TestStore, useStores, type StorePorts } from './test-stores';
/** @public for Jest's global setup */
export { startTestStores } from './test-stores';
/** @public for Jest's global setup */
export { memoryFolder } from './postgres-server.harness';
export { compileSupervisor } from './compiled-supervisor';
export { projectRules } from './project-rules';
export { mapBytes, mtzBytes } from './binary-files';
export { sourceThreadArguments } from './source-thread';
export { prepareAttempt, SupervisedAttempt } from './supervised-attempt';
export { useSmallDisk } from './small-disk';
export { useFolder } from './temporary-folder';
export { useStarted } from './use-started';
export { findRedisServer, freePort, startRedis, useRedis, type RedisServer } from './redis-server.harness';
export { startPostgres, type PostgresServer } from './postgres-server.harness';
export { startRedisBehindSentinel, type RedisBehindSentinel } from './redis-sentinel.harness';
export { aLaunchPolicy, aSharedRun, runSlotsContract, sharesControlContract } from './run-slots.contract';
export { aMaintenanceWindow, launchControlContract, type Made } from './runs.contract';
export { sessionStoreContract } from './session-store.contract';
export { aWebhook, webhooksContract } from './webhooks.contract';
export {
  aCatalogue,
  aFullCatalogue,
  dataFile,
  dictionaryFile,
  mapFile,
  mapRefinements,
  modelFile,
  refinements,
  sequenceFile,
  unflaggedFile,
  unrefined,
  usualRuns,
  walkSession,
  withOutputs,
  type FakeRun,
  type FakeRuns,
  type PlannedRun,
  type Walk,
  type WalkOptions,
} from './session-walk';
export { smallWorkflow, type Given } from './small-workflow';
export { argvOf, walkBench, words } from './walk-bench';
export { walkedRows, walkTables } from './walk-tables';
export { anEnding, ScriptedBackend } from './scripted-backend';
export { FakeCluster, type FakeRequest } from './kubernetes/fake-cluster';
export {
  lookedAt,
  rawJob,
  rawPod,
  rawStatus,
  secondsAgo,
  type RawJobChanges,
  type RawPodChanges,
} from './kubernetes/raw-objects';
export { ranBefore, v2Bench, type RequestPart } from './v2-bench';
export {
  modelChoosing,
  modelFailing,
  modelSaying,
  ScriptedReplies,
  useScriptedPlanners,
  type ScriptedPlanner,
} from './models/scripted-planner';
export { goodLigand, ligandPrograms, type LigandNumbers } from './ligand-programs';
export { ScriptedModels, type ModelPlay } from './models/scripted-models';
export { SpanCollector } from './span-collector';
