import type { ModelProtocol } from '@fleet/contracts/models';
import type { ModelTarget } from '@fleet/ports';
import type { Agent } from 'undici';
import type { Protocol } from './piece';
import { askAnthropic } from './protocols/anthropic';
import { askGoogle } from './protocols/google';
import { askOllama } from './protocols/ollama';
import { askOpenai } from './protocols/openai';
import { StreamedTarget } from './streamed-target';
import type { TargetSettings } from './target-settings';

const protocols: Readonly<Record<ModelProtocol, Protocol>> = {
  openai: askOpenai,
  anthropic: askAnthropic,
  google: askGoogle,
  ollama: askOllama,
};

export interface OpenTargets {
  readonly targets: readonly ModelTarget[];
  /** Closes their connections. */
  close(): Promise<void>;
}

const openConnections = async (): Promise<Agent> => {
  const undici = await import('undici');
  return new undici.Agent({ connect: { timeout: 10_000 } });
};

/** Creates the configured targets. Opens no connection and loads no vendor's or HTTP library before the first call. */
export const openTargets = (settings: readonly TargetSettings[]): OpenTargets => {
  let agent: Promise<Agent> | undefined;
  const connections = (): Promise<Agent> => (agent ??= openConnections());
  return {
    targets: settings.map((one) => new StreamedTarget(one, protocols[one.protocol], connections)),
    close: async () => (await agent)?.destroy(),
  };
};
