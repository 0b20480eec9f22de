/**
 * Roles of principals:
 * - `user`: a member of proposals;
 * - `staff`: of beamlines, whose visitors they help, and a member of proposals;
 * - `admin`: runs the service, and may do everything;
 * - `kiosk`: a screen at a beamline: it reads what a wall shows, and nothing else;
 * - `service`: a program of the facility, data acquisition for example: like staff, without a person behind it.
 */
export const principalRoles = ['user', 'staff', 'admin', 'kiosk', 'service'] as const;
export type PrincipalRole = (typeof principalRoles)[number];

/** Scopes of a key; its owner's role limits it as well. */
export const accessScopes = ['read', 'submit', 'change', 'decide', 'admin'] as const;
export type AccessScope = (typeof accessScopes)[number];

/**
 * Which requests of an action are written to the audit log, besides denied ones:
 * - `always`: each;
 * - `attendants`: reads by staff, administrators and services, once in ten minutes per principal and object;
 * - `sampled`: reads by any principal, once in ten minutes per principal and route;
 * - `by-handler`: one change consists of many requests; the handler reports when it is complete;
 * - `never`: none.
 */
type Audited = 'always' | 'attendants' | 'sampled' | 'by-handler' | 'never';

/** What an action requires. */
interface ActionRule {
  /** Required scope of the key. */
  readonly scope: AccessScope;
  /** Roles that may perform it. */
  readonly roles: readonly PrincipalRole[];
  /** `session`, `batch`, `webhook`, `upload`: the object belongs to a proposal, which must be accessible. `service`: the whole service. */
  readonly on: 'session' | 'batch' | 'webhook' | 'upload' | 'service';
  readonly audited: Audited;
  /** For the documentation. */
  readonly what: string;
}

const allRoles: readonly PrincipalRole[] = ['user', 'staff', 'admin', 'kiosk', 'service'];
const workers: readonly PrincipalRole[] = ['user', 'staff', 'admin', 'service'];
/** Roles with access to other users' data. */
export const attendants: readonly PrincipalRole[] = ['staff', 'admin', 'service'];
const admins: readonly PrincipalRole[] = ['admin'];

/** All actions of the gateway. Each route requires one of them. */
export const actionRules = {
  'service.read': {
    scope: 'read',
    roles: workers,
    on: 'service',
    audited: 'never',
    what: 'what the service offers: programs and settings',
  },
  'service.about': {
    scope: 'read',
    roles: allRoles,
    on: 'service',
    audited: 'never',
    what: 'who asks, maintenance, and the names of metrics',
  },
  'wall.read': {
    scope: 'read',
    roles: allRoles,
    on: 'service',
    audited: 'sampled',
    what: 'what a wall shows: sessions within reach in short, and their updates',
  },
  'decision.make': {
    scope: 'decide',
    roles: workers,
    on: 'service',
    audited: 'never',
    what: 'a decision, or a reading of advice, of which nothing is kept',
  },
  'folder.read': {
    scope: 'submit',
    roles: workers,
    on: 'service',
    audited: 'sampled',
    what: 'names of files and folders that could be submitted from',
  },
  'upload.write': {
    scope: 'submit',
    roles: workers,
    on: 'upload',
    audited: 'always',
    what: 'begin and remove uploads of files to own proposals',
  },
  'upload.append': {
    scope: 'submit',
    roles: workers,
    on: 'upload',
    audited: 'by-handler',
    what: 'send an upload in chunks, and see how far it is',
  },
  'session.list': {
    scope: 'read',
    roles: workers,
    on: 'service',
    audited: 'sampled',
    what: 'a list, of what is within reach',
  },
  'session.read': {
    scope: 'read',
    roles: workers,
    on: 'session',
    audited: 'attendants',
    what: 'a session, its state and its events',
  },
  'session.download': {
    scope: 'read',
    roles: workers,
    on: 'session',
    audited: 'always',
    what: 'logs, files and prompts of a session',
  },
  'session.submit': { scope: 'submit', roles: workers, on: 'session', audited: 'always', what: 'a new session' },
  'session.change': {
    scope: 'change',
    roles: workers,
    on: 'session',
    audited: 'always',
    what: 'cancel, resume, advise, another priority, remove cycles, let a model assess it or sum up its logs',
  },
  'batch.read': {
    scope: 'read',
    roles: workers,
    on: 'batch',
    audited: 'attendants',
    what: 'a batch, its rows and its results',
  },
  'batch.submit': {
    scope: 'submit',
    roles: workers,
    on: 'batch',
    audited: 'always',
    what: 'a new batch, or more rows of one',
  },
  'batch.change': {
    scope: 'change',
    roles: workers,
    on: 'batch',
    audited: 'always',
    what: 'pause, resume, cancel, another priority, run rows again',
  },
  'webhook.list': {
    scope: 'read',
    roles: workers,
    on: 'service',
    audited: 'sampled',
    what: 'a list of webhooks, of what is within reach',
  },
  'webhook.read': {
    scope: 'read',
    roles: workers,
    on: 'webhook',
    audited: 'attendants',
    what: 'notices that a webhook was not told',
  },
  'webhook.change': {
    scope: 'change',
    roles: workers,
    on: 'webhook',
    audited: 'always',
    what: 'make, test, replay and remove webhooks',
  },
  'queue.read': {
    scope: 'read',
    roles: attendants,
    on: 'service',
    audited: 'sampled',
    what: 'what lies in the queues, of what is within reach',
  },
  'admin.read': {
    scope: 'admin',
    roles: admins,
    on: 'service',
    audited: 'sampled',
    what: 'the state of the whole service',
  },
  'admin.change': {
    scope: 'admin',
    roles: admins,
    on: 'service',
    audited: 'always',
    what: 'pause, drain, remove orphans, retry and drop dead steps, let delayed jobs begin, recover sessions',
  },
  'keys.read': { scope: 'admin', roles: admins, on: 'service', audited: 'sampled', what: 'which keys there are' },
  'keys.change': { scope: 'admin', roles: admins, on: 'service', audited: 'always', what: 'make and revoke keys' },
  'audit.read': { scope: 'admin', roles: admins, on: 'service', audited: 'sampled', what: 'who did what' },
} as const satisfies Readonly<Record<string, ActionRule>>;

export type Action = keyof typeof actionRules;
export const actions = Object.keys(actionRules) as readonly Action[];

/** The rule with its general type. */
export const ruleOf = (action: Action): ActionRule => actionRules[action];

/** All scopes that a role may use: the default of its keys. */
export const scopesOfRole = (role: PrincipalRole): readonly AccessScope[] => [
  ...new Set(
    actions
      .map(ruleOf)
      .filter(({ roles }) => roles.includes(role))
      .map(({ scope }) => scope),
  ),
];

/** Actions at open routes that are nevertheless written to the audit log. */
export const openActions = ['login', 'logout'] as const;
/** Besides the actions of the policy: browser logins, deletions of sessions, and entries about the log itself. */
export const auditedActions = [...actions, ...openActions, 'audit', 'purge'] as const;
