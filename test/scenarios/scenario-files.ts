import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFacts, JsonValue } from '@fleet/contracts/sessions';
import type { DecideResponse } from '@fleet/decision-api';
import { load } from 'js-yaml';

/** One recorded request with what the public agent decided. */
export interface Scenario {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly request: JsonValue;
  /** Files that were on disk where their content mattered: `empty`, `bad_map`, `pdb_small`, or anything plausible. */
  readonly materialise: Readonly<Record<string, string | null>>;
  readonly public_agent: {
    readonly program: string;
    readonly command: string;
    readonly workflow_state: string;
    readonly stop_reason: string | null;
  };
}

/** One answered scenario. */
export interface Answered {
  readonly scenario: Scenario;
  readonly response: DecideResponse;
}

/** Where our answer differs, and why. */
export interface Difference {
  /** What we answer; the explanation is stale when it is another. */
  readonly program: string;
  /** The rule (phenix-agent.md) or the crystallographic reason. */
  readonly because: string;
}

const folder = '/data';

/** @throws Error where the folder with the recorded requests is not named */
export const readScenarios = (): readonly Scenario[] => {
  const recorded = process.env['PHENIX_FLEET_TEST_SCENARIOS'];
  if (recorded === undefined) throw new Error('PHENIX_FLEET_TEST_SCENARIOS is not set');
  const text = readFileSync(join(recorded, 'decisions.json'), 'utf8');
  return JSON.parse(text.replaceAll('{DIR}', folder)) as Scenario[];
};

export const readDifferences = (): Readonly<Record<string, Difference>> =>
  load(readFileSync(join(__dirname, 'differences.yaml'), 'utf8')) as Record<string, Difference>;

const factsOf: Readonly<Record<string, FileFacts>> = {
  empty: { format: 'unknown' },
  bad_map: { format: 'unknown' },
  pdb_small: {
    format: 'pdb',
    model: {
      atoms: 31,
      chains: ['A'],
      polymerResidues: 0,
      waters: 0,
      ligandCodes: ['ATP'],
      predicted: false,
      meanB: 20,
    },
  },
};

/** What reading the materialised files would tell. */
export const knownFacts = ({ materialise }: Scenario): ReadonlyMap<string, FileFacts> =>
  new Map(
    Object.entries(materialise).flatMap(([name, kind]): [string, FileFacts][] => {
      const facts = factsOf[kind ?? ''];
      return facts === undefined ? [] : [[`${folder}/${name}`, facts]];
    }),
  );

/** A command without the folder of its files. */
export const shortCommand = (command: string): string => command.replaceAll(`${folder}/`, '');
