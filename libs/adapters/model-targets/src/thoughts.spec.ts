import { apart } from './thoughts';

describe('thoughts between tags', () => {
  it.each([
    ['{"a":1}', '{"a":1}', ''],
    ['<think>hm</think>\n{"a":1}', '\n{"a":1}', 'hm'],
    [' <Thinking>hm</thinking>yes', 'yes', 'hm'],
    ['<think>hm', '', 'hm'],
    ['<think>a</reasoning>b', '', 'a</reasoning>b'],
    ['say <think>no</think>', 'say <think>no</think>', ''],
    ['<think></think>', '', ''],
  ])('%s', (written, text, thinking) => {
    expect(apart(written)).toEqual({ text, thinking });
  });
});
