import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeConfig } from './describe-config';

const document = join(resolve(__dirname, '../../../..'), 'docs', 'configuration.md');

describe('docs/configuration.md', () => {
  it('contains the generated table', () => {
    const [, generated = ''] = readFileSync(document, 'utf8').split(
      /<!-- generated: .*-->\n|<!-- end of generated -->/,
    );
    expect(generated.trim()).toBe(describeConfig());
  });
});
