import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer } from '@fleet/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { script, type CommandResult } from '../e2e/standalone';
import { setupScript } from './setup-scripts';
import { inspectionPython } from '@fleet/config';

interface Part {
  readonly pid: number;
  readonly port: number;
  readonly alive: boolean;
  readonly restarts?: number;
}

export interface ShownStandalone {
  readonly redis: Part & { readonly url: string; readonly urlFile: string };
  readonly postgres: Part & { readonly url: string; readonly urlFile: string };
  readonly supervisor: Part;
  readonly services: Readonly<Record<string, Part>>;
}

const states = setupScript('standalone-state.mjs') as {
  readonly readStandalone: (folder: string) => unknown;
  readonly shownStandalone: (state: unknown) => ShownStandalone;
};

/** `npm run standalone` in a temporary folder, with no programs installed. */
export class LocalStandalone {
  readonly top = mkdtempSync(join(tmpdir(), 'fleet-standalone-'));
  readonly folder = join(this.top, 'standalone');
  private readonly env: NodeJS.ProcessEnv;

  constructor() {
    const programs = join(this.top, 'programs');
    for (const path of [programs, join(this.top, 'data')]) mkdirSync(path);
    symlinkSync(findRedisServer(), join(programs, 'valkey-server'));
    this.env = {
      FLEET_OPEN_PHENIX_DIR: programs,
      FLEET_INSPECTION_PYTHON: inspectionPython(),
      REDIS_URL: '',
      REDIS_URL_FILE: '',
      DATABASE_URL: '',
      DATABASE_URL_FILE: '',
    };
  }

  run(verb: string, ...more: readonly string[]): Promise<CommandResult> {
    return script('standalone.mjs', [verb, '--work', this.folder, ...more], this.env);
  }

  start(...more: readonly string[]): Promise<CommandResult> {
    return this.run('start', '--no-setup', '--data', join(this.top, 'data'), ...more);
  }

  /** What `status` prints. */
  state(): ShownStandalone {
    return LocalStandalone.shown(states.readStandalone(this.folder));
  }

  /** A state of before, and who of it is alive now. */
  static shown(state: unknown): ShownStandalone {
    return states.shownStandalone(state);
  }

  /** Looks at the state until it is as wanted; the test's own time limit ends it. */
  async until(wanted: (state: ShownStandalone) => boolean): Promise<ShownStandalone> {
    for (;;) {
      const state = this.state();
      if (wanted(state)) return state;
      await sleep(50);
    }
  }

  file(...names: readonly string[]): string {
    return readFileSync(join(this.folder, ...names), 'utf8');
  }

  async remove(): Promise<void> {
    await this.run('stop');
    rmSync(this.top, { recursive: true, force: true });
  }
}

export const partsOf = (state: ShownStandalone): readonly Part[] => [
  ...Object.values(state.services),
  state.redis,
  state.postgres,
  state.supervisor,
];
