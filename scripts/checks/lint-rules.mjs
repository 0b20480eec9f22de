// Our own lint rules (.oxlintrc.json): each forbids syntax that ESLint selectors match.

/** A rule that reports every node that one of the selectors finds. */
const forbid = (...restrictions) => ({
  create: (context) =>
    Object.fromEntries(
      restrictions.flatMap(({ selectors, message }) =>
        selectors.map((selector) => [selector, (node) => context.report({ node, message })]),
      ),
    ),
});

/** Test files share the modules of a Jest worker: state that one file leaves in a module reaches the next file. */
const moduleState = {
  message:
    'Keep this in an object that its user makes. A cache of pure results may stay: name its file in .oxlintrc.json.',
  selectors: ['Program', 'Program > ExportNamedDeclaration'].flatMap((parent) => [
    `${parent} > VariableDeclaration[kind='let']`,
    `${parent} > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]`,
  ]),
};

const notInLoop = ':not(:matches(WhileStatement, DoWhileStatement, ForStatement) AwaitExpression)';
const elapsed =
  "CallExpression[callee.name='expect'] > BinaryExpression[operator='-'] > CallExpression[callee.property.name='now']";
const atMost = 'CallExpression[callee.property.name=/^toBeLessThan(OrEqual)?$/][arguments.0.value<60000]';

/** Dependencies of a test other than its subject: the clock, the machine, other tests. */
const unsteady = [
  {
    message: 'Wait for an event, or poll the condition: eventually() of @fleet/testing.',
    selectors: [
      `AwaitExpression${notInLoop} > CallExpression[callee.name=/^(sleep|pause|delay)$/][arguments.0.value>=10]`,
      `AwaitExpression${notInLoop} > NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout'][arguments.1.value>=10]`,
    ],
  },
  {
    message:
      'An upper bound in time is for hangs: 60 s or more. Count what is done, or write a benchmark with a ratio.',
    selectors: [`${atMost} > MemberExpression > ${elapsed}`],
  },
  {
    message: 'Listen on 0 and read the port back; where it must be known before, ask freePort() of @fleet/testing.',
    selectors: ["CallExpression[callee.property.name='listen'][arguments.0.value>0]"],
  },
  {
    message: 'Pass the variables as an object: the environment of this process is that of the next test too.',
    selectors: [
      "AssignmentExpression[left.object.name='process'][left.property.name='env']",
      "AssignmentExpression[left.object.object.name='process'][left.object.property.name='env']",
      "UnaryExpression[operator='delete'][argument.object.object.name='process'][argument.object.property.name='env']",
      "CallExpression[callee.property.name=/^(assign|deleteProperty|set|defineProperty)$/][arguments.0.object.name='process'][arguments.0.property.name='env']",
    ],
  },
];

export default {
  meta: { name: 'fleet' },
  rules: {
    'named-exports': forbid({ message: 'Named exports only.', selectors: ['ExportDefaultDeclaration'] }),
    'listed-exports': forbid({ message: 'Index files list names.', selectors: ['ExportAllDeclaration'] }),
    'no-environment': forbid({
      message: 'process.env is read in libs/platform/config alone.',
      selectors: ["MemberExpression[object.name='process'][property.name='env']"],
    }),
    'no-module-state': forbid(moduleState),
    'steady-tests': forbid(...unsteady),
    'no-chance': forbid({
      message: 'Draw from a generator whose seed is printed (test/fuzz/mutations.ts).',
      selectors: ["MemberExpression[object.name='Math'][property.name='random']"],
    }),
  },
};
