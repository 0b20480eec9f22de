import { configSections } from './sections';
import { variablesOf } from './variable.decorator';

/** Machine-dependent defaults, as text. */
const machineDefaults: Readonly<Record<string, string>> = {
  FLEET_MAX_RUNNING: 'number of processors',
  FLEET_KNOWLEDGE_DIR: '`knowledge` beside `package.json`',
};

/** All variables as Markdown tables, one per section: the generated part of docs/configuration.md. */
export const describeConfig = (): string =>
  configSections
    .map((section) => {
      const rows = variablesOf(section).map(
        ({ variable, what, allowed, secret, optional, default: value }) =>
          `| \`${variable}\`${secret ? ` or \`${variable}_FILE\`` : ''} | ${what} | ${allowed} | ${
            machineDefaults[variable] ??
            (value === undefined ? (optional ? 'not set' : '**required**') : `\`${value}\``)
          } |`,
      );
      return [
        `### ${section.name}`,
        '',
        '| Variable | Meaning | Allowed | Default |',
        '| --- | --- | --- | --- |',
        ...rows,
      ].join('\n');
    })
    .join('\n\n');
