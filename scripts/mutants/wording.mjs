// Leaves the wording of sentences alone: a text with a space in it is read by people, and a test that pins it word by word is a copy.
const spaced = / /;

/** Expressions in a sentence that only put a value into it; anything that chooses is mutated. */
const plain = (node) =>
  node.type === 'Identifier' ||
  (node.type === 'MemberExpression' && plain(node.object)) ||
  (node.type === 'CallExpression' &&
    (plain(node.callee) || node.callee.type === 'MemberExpression') &&
    node.arguments.every((argument) => plain(argument) || argument.type === 'StringLiteral'));

const isWording = (path) =>
  (path.isStringLiteral() && spaced.test(path.node.value)) ||
  (path.isTemplateLiteral() &&
    path.node.quasis.some(({ value }) => spaced.test(value.raw)) &&
    path.node.expressions.every(plain));

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'wording',
    value: { shouldIgnore: (path) => (isWording(path) ? 'the wording of a sentence' : undefined) },
  },
];
