import type { Command } from 'commander';
import type { SettingDefinition } from '@fleet/contracts/service';
import { tableLines } from '../output/table';
import type { Action, Connect } from '../command-context';

const programs: Action<object> = async (context) => {
  const found = await context.client.json('GET /v1/programs');
  context.print(found, () => {
    const rows = found.programs.map(({ program, installed, provider = '', version = '', withheld }) => {
      if (installed) return [program, provider, version];
      return withheld === undefined ? [program, 'not installed', ''] : [program, 'not allowed', withheld];
    });
    const note = found.probedAt === undefined ? ['No executor has reported its installed programs yet.'] : [];
    return [...note, ...tableLines([['PROGRAM', 'PROVIDER', 'VERSION'], ...rows])];
  });
};

const allowedOf = (definition: SettingDefinition): string => {
  switch (definition.type) {
    case 'integer':
    case 'number':
      return `${definition.type} ${String(definition.min)}..${String(definition.max)}`;
    case 'choice':
      return definition.choices.join('|');
    case 'boolean':
      return 'true|false';
    case 'list':
      return 'a,b,...';
  }
};

const settings: Action<object> = async (context) => {
  const found = await context.client.json('GET /v1/settings');
  context.print(found, () => {
    const rows = Object.entries(found.settings).map(([name, definition]) => {
      const value = typeof definition.default === 'object' ? definition.default.join(',') : String(definition.default);
      return [name, allowedOf(definition), value, definition.what];
    });
    return tableLines([['SETTING', 'ALLOWED', 'DEFAULT', 'MEANING'], ...rows]);
  });
};

export const addServiceCommands = (program: Command, connect: Connect): void => {
  connect<object>(
    program
      .command('programs')
      .summary('list programs and whether they are installed')
      .description('Lists the programs the agent knows and, for those the backend has, their provider and version.')
      .addHelpText('after', '\nExample:\n  phx programs'),
    programs,
  );
  connect<object>(
    program
      .command('settings')
      .summary('list the settings for --set')
      .addHelpText('after', '\nExample:\n  phx settings'),
    settings,
  );
};
