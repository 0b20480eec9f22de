import { mkdtempSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isFault } from '@fleet/contracts/faults';
import { buildDecisionApi } from '@fleet/decision-api';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { parseRuleBook, type KnowledgeFile } from '@fleet/knowledge-model';
import { ProgramLogFormat } from '@fleet/log-parsing';
import { systemClock } from '@fleet/ports';
import { ProblemList } from '@fleet/problems';
import { SessionFolder } from '@fleet/session-folder';
import { readDirectives, readSettings, readSubmissionBody } from '@fleet/sessions';
import { projectRules } from '@fleet/testing';
import { ruleBookKnowledge } from '../../apps/gateway/src/routes/results/rule-book-knowledge';
import type { TargetName } from './samples';
import { inspector as realInspector } from '../support/inspector';

/** Reads an input; what it throws is a finding, unless it is a Fault of the caller. */
export type Target = (name: string, bytes: Buffer) => Promise<void>;

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    // What is not JSON at all never reaches these readers; as a text it is an input like any other.
    return bytes.toString('utf8');
  }
};

const inspected = (folder: string): Target => {
  const inspector = realInspector;
  return async (name, bytes) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const { facts } = await inspector.inspect(path, { cycle: 0 });
    // A record is JSON: what it cannot hold (NaN, Infinity) would be lost in it.
    const bad = JSON.stringify(facts, (_, value: unknown) =>
      typeof value === 'number' && !Number.isFinite(value) ? 'BAD' : value,
    );
    if (bad.includes('"BAD"')) throw new Error(`a number that is none: ${bad.slice(0, 300)}`);
  };
};

const readKnowledge = async (folder: string): Promise<readonly KnowledgeFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(?:yaml|schema\.json)$/.test(entry.name));
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Promise.all(paths.map(async (path) => ({ path: relative(folder, path), text: await readFile(path, 'utf8') })));
};

/** The readers of this project, by name. */
export const makeTargets = async (root: string): Promise<Readonly<Record<TargetName, Target>>> => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-fuzz-'));
  const ruleBook = projectRules();
  const agent = ruleBookKnowledge(ruleBook);
  const knowledge = await readKnowledge(join(root, 'knowledge'));
  const formats = Object.values(ruleBook.programs).map((program) => new ProgramLogFormat(program, ruleBook.errors));
  const api = buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock: systemClock });
  const folders = new SessionFolder(folder);
  await mkdir(join(folder, 'mx1/s'), { recursive: true });
  const inspect = inspected(folder);
  return {
    mtz: inspect,
    map: inspect,
    cif: inspect,
    pdb: inspect,
    scalepack: inspect,
    sequence: inspect,
    log: (_, bytes) => {
      for (const format of formats) {
        const reader = format.open();
        reader.push(bytes);
        reader.end();
      }
      return Promise.resolve();
    },
    knowledge: (_, bytes) => {
      const end = Math.max(0, bytes.indexOf(10));
      const path = bytes.toString('utf8', 0, end);
      const text = bytes.toString('utf8', end + 1);
      parseRuleBook([...knowledge.filter((file) => file.path !== path), { path, text }]);
      return Promise.resolve();
    },
    session: async (name, bytes) => {
      writeFileSync(join(folder, 'mx1/s', name), bytes);
      await folders.readSession(join(folder, 'mx1/s'));
    },
    submission: (_, bytes) => {
      const problems = new ProblemList();
      const body = readSubmissionBody(parsed(bytes), problems);
      readSettings(body.settings, agent.programs, problems);
      readDirectives(body.directives, agent, problems);
      return Promise.resolve();
    },
    request: async (_, bytes) => {
      await api.answer(parsed(bytes));
      await api.answerEncoded(bytes.toString('utf8'));
    },
  };
};

/** Whether a reader said in its own words what is wrong with an input. A session's file may also be newer, or of another folder. */
export const isTold = (error: unknown): boolean =>
  isFault(error) && (error.kind === 'caller' || (error.kind === 'conflict' && error.code.startsWith('session_file.')));
