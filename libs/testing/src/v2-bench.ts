import type { JsonValue } from '@fleet/contracts/sessions';
import { buildDecisionApi, type DecideResponse, type DecisionApi } from '@fleet/decision-api';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { systemClock } from '@fleet/ports';
import { projectRules } from './project-rules';

/** A part of a v2 request. */
export type RequestPart = Readonly<Record<string, JsonValue>>;

/** A successful cycle in a client's history. */
export const ranBefore = (
  name: string,
  analysis: RequestPart = {},
  output_files: readonly string[] = [],
  more: RequestPart = {},
): RequestPart => ({
  program: `phenix.${name}`,
  command: `phenix.${name} /d/data.mtz`,
  result: 'SUCCESS',
  analysis,
  output_files,
  ...more,
});

export interface V2Bench {
  readonly api: DecisionApi;
  /** Sends a request as a client on another machine does, after this history. */
  readonly ask: (
    files: readonly string[],
    history: readonly RequestPart[],
    change?: RequestPart,
  ) => Promise<DecideResponse>;
}

/** The v2 API with the project's knowledge for the whole spec file. */
export const v2Bench = (): V2Bench => {
  const ruleBook = projectRules();
  const api = buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock: systemClock });
  return {
    api,
    ask: (files, history, change = {}) =>
      api.answerAsRemote({ api_version: '2.0', files, cycle_number: history.length + 1, history, ...change }),
  };
};
