import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DecideResponse } from '@fleet/decision-api';
import { useFolder } from '@fleet/testing';
import { aModel, someReflections } from '../api/gateway-harness';
import { runPhx } from './scripted-terminal';

const first = { api_version: '2.0', files: ['/home/me/data.mtz', '/home/me/seq.fa'], cycle_number: 1 };
const second = {
  ...first,
  cycle_number: 2,
  history: [{ cycle: 1, program: 'phenix.xtriage', result: 'SUCCESS: done', analysis: { resolution: 2.1 } }],
};

describe('phx decide', () => {
  const folder = useFolder('file');
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return name;
  };
  const decide = (...args: readonly string[]): ReturnType<typeof runPhx> =>
    runPhx(['decide', ...args], { cwd: folder });
  const programsOf = (out: string): readonly string[] =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as DecideResponse).decision.program);

  it('answers each request of each file with one line, without a service', async () => {
    const one = file('one.json', JSON.stringify(first, null, 2));
    const lines = file('lines.jsonl', `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`);
    const list = file('list.json', JSON.stringify([second]));
    const { code, out } = await decide(one, lines, list);
    expect(code).toBe(0);
    expect(programsOf(out)).toEqual([
      'phenix.xtriage',
      'phenix.xtriage',
      'phenix.predict_and_build',
      'phenix.predict_and_build',
    ]);
  });

  it('takes encoded requests', async () => {
    const encoded = file(
      'encoded.txt',
      JSON.stringify(first).replaceAll('{', 'ZZLBZZ').replaceAll('}', 'ZZRBZZ').replaceAll('"', 'ZZDQZZ'),
    );
    expect(programsOf((await decide(encoded)).out)).toEqual(['phenix.xtriage']);
  });

  it("reads the user's words, and explains what it understood of them", async () => {
    const advised = { ...first, user_advice: 'Just run xtriage. Prioritise geometry.' };
    const { out } = await decide(file('advised.json', JSON.stringify(advised)), '--explain');
    expect(out).toContain('The session ends when phenix.xtriage has succeeded.  <- "Just run xtriage."');
    expect(out).toContain('not followed\n  "Prioritise geometry.": no rule reads anything in it');
  });

  it('explains every program and every part of the command', async () => {
    const { out } = await decide(file('why.json', JSON.stringify(first)), '--explain');
    expect(out).toContain('phenix.xtriage (xray, xray_initial): ');
    expect(out).toMatch(/not offered\n( {2}phenix\.\w+: .+\n){10}/);
    expect(out).toMatch(/\/home\/me\/data\.mtz {2}<- slot, data: /);
  });

  it('exits with 3 for an invalid request, and still answers the others', async () => {
    const { code, out } = await decide(file('bad.json', JSON.stringify([{ api_version: '1.0' }, first])));
    expect([code, programsOf(out)]).toEqual([3, ['STOP', 'phenix.xtriage']]);
    expect((await decide('bad.json', '--explain')).out).toMatch(/not a v2 request\n {2}api_version: .*"2\.0"/);
  });

  it.each([
    ['missing.json', /missing\.json does not exist/],
    ['text.json', /contains no request/],
    ['mixed.jsonl', /line 2 is not a request/],
  ])('exits with 2 for %s', async (name, told) => {
    file('text.json', 'hello');
    file('mixed.jsonl', `${JSON.stringify(first)}\nhello\n`);
    const { code, err } = await decide(name);
    expect([code, err]).toEqual([2, expect.stringMatching(told)]);
  });

  it('inspects local files on request', async () => {
    file('wrong_name.dat', someReflections);
    file('model.txt', aModel);
    const files = [join(folder, 'wrong_name.dat'), join(folder, 'model.txt')];
    const request = file('here.json', JSON.stringify({ ...first, files }));
    expect(programsOf((await decide(request)).out)).toEqual(['STOP']);
    expect(programsOf((await decide(request, '--read-files')).out)).toEqual(['phenix.xtriage']);
  });
});
