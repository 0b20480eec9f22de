import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Generated, frozen, or about words themselves: this list, and the lexicon of advice. */
const leftOut =
  /^(CHANGELOG\.md|docs\/(reference|images)\/|docs\/cli\.md|test\/scenarios\/decisions\.md|helm\/phenix-fleet\/README\.md|libs\/adapters\/api-client\/src\/api\.ts|libs\/python-client\/phenix_fleet\/models\.py|package-lock\.json|knowledge\/advice\.yaml|libs\/domain\/advice\/src\/fixtures\/|test\/records\/|test\/docs\/wording\.spec\.ts)/;
const texts = /\/texts\/[a-z-]+\.ts$|^apps\/cli\/src\/commands\//;

/** Lines with a phrase that reads badly: how many there may be, and what to write instead. A number only falls. */
const phrases: readonly (readonly [RegExp, number, string])[] = [
  [/\b(go|goes|went|gone) on\b/i, 0, 'continue, resume'],
  [/\b(is|are|was|were|be|been) told\b(?! (to|apart))/i, 10, 'is shown, is reported, receives'],
  [
    /(?<!here )\b(is|are|was|were) no (?!longer|more|less|such|one|way|need|reason|help|room|space|[a-z]+er\b)[a-z-]+/i,
    7,
    'is not a',
  ],
  [/\b(what|whatever|nothing|one) (has |had )?(came|comes?|became|becomes?) of\b/i, 0, 'outcome, result'],
  [/\banew\b/i, 0, 'again'],
  [
    /\b(providers? of identities|description of the API|windows? for maintenance)\b/i,
    0,
    'identity provider, OpenAPI document, maintenance window',
  ],
  [/\bmend(s|ed|ing)?\b/i, 0, 'fix'],
  [/\btaken for\b|\btakenFor\b/i, 0, 'classified as'],
  [/\bin the place of\b/i, 0, 'instead of'],
  [/, for (it|they|nobody|nothing|there) (?!to )/i, 0, 'because'],
  [/\ball right\b/i, 0, 'valid, healthy'],
  [/\b(can|cannot|could|to) be had\b|\bcan(not)? be told\b(?! (apart|to))/i, 3, 'available, known'],
  [/\b(kept|asked|tried|launched|started) (no longer|no more|any more)\b/i, 0, 'deleted, expired, stopped'],
  [/\b(as ever|of late|how many-th|so many a|at the pace of)\b/i, 0, 'as usual, recently, n-th, per'],
  [/\bthat there (is|are) not\b|\bof which there (is|are)\b/i, 0, 'missing, unknown'],
  [
    /\b(interface|type) (Told|Asked|Said|Kept|Known|Seen|Held|Place|Way|Wish|Words|Look)\b( =|<| \{| extends)/,
    0,
    'the content',
  ],
  [/\b(const|let) (told|said|asked|meant|kept|came|place)\b/, 0, 'the content'],
  [/\btitle: '(There|That|What|Who|Which) /, 0, 'a noun phrase and a state'],
];
const phrasesOfTexts: readonly (readonly [RegExp, number, string])[] = [
  // `everybody: '…'` is the name of a value.
  [/\b(nobody|somebody|everybody|whoever)\b(?!: ')/i, 0, 'another user, no caller'],
  [/^\s+\w+: ['`](What|Who|How|Where|Nobody)\b/, 0, 'a noun phrase: labels are nouns'],
];

const lines = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  .split('\n')
  .filter((path) => /\.(md|ts|tsx|mjs|cjs|py|ya?ml|tpl|sh)$/.test(path) && !leftOut.test(path))
  .flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map((text, index) => ({ at: `${path}:${String(index + 1)}`, path, text })),
  );

describe.each([
  ...phrases.map((one) => [...one, false] as const),
  ...phrasesOfTexts.map((one) => [...one, true] as const),
])('%s', (phrase, most, instead, onlyTexts) => {
  it(`is in at most ${String(most)} lines: write ${instead}`, () => {
    const found = lines.filter(({ path, text }) => (!onlyTexts || texts.test(path)) && phrase.test(text));
    expect(found.length).toBeLessThanOrEqual(most);
  });
});

it('names each suite of tests once', () => {
  const names = lines.flatMap(({ path, text }) =>
    /spec\.tsx?$/.test(path) ? (/^describe\((['"`])(.+?)\1,/.exec(text)?.slice(2) ?? []) : [],
  );
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
