import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeConfig } from './describe-config';

const document = join(resolve(__dirname, '../../../..'), 'docs', 'configuration.md');

describe('docs/configuration.md', () => {
  it('contains the generated table', () => {
    const page = readFileSync(document, 'utf8');
    const whole = page.replace(
      /(<!-- generated: .*-->\n)[^]*(<!-- end of generated -->)/,
      (_, begin: string, end: string) => `${begin}\n${describeConfig()}\n\n${end}`,
    );
    if (process.env['FLEET_WRITE_DOCS'] === '1') writeFileSync(document, whole);
    else expect(page).toBe(whole);
  });
});
