/**
 * Permissions with the roles and key scopes that have them. Roles belong to a workspace, company roles to the company;
 * the scope of an API key restricts it further.
 */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const COMPANY_ROLES = ['member', 'company_admin'] as const;
export type CompanyRole = (typeof COMPANY_ROLES)[number];

export const KEY_SCOPES = ['read', 'read/write', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export interface Grant {
  /** The lowest role that has the permission. */
  role: Role;
  /** The lowest key scope that has the permission; null if API keys are excluded. */
  key: KeyScope | null;
  /** The lowest role in the company that has the permission; `member` where absent. */
  companyRole?: CompanyRole;
  /** The role in the company that signed-in users may have in place of the role in the workspace. */
  insteadOfRole?: CompanyRole;
  /**
   * Whether operations with the permission give or take rights. They read the rights of their caller anew: a person
   * whose role was taken could use the seconds until caches expire to give it to another.
   */
  isFresh?: true;
  /** What gives the permission to a lower role, and to a lower scope of keys if `key` is there. */
  opened?: { by: Switch; role: Role; key?: KeyScope };
}

/** Settings of a workspace that open permissions, and whether each is on in workspaces that have not set it. */
export const WORKSPACE_SWITCHES = { viewersMayQuery: false, editorsMayUpload: true } as const;
export type WorkspaceSwitch = keyof typeof WORKSPACE_SWITCHES;

/**
 * What opens permissions for a caller: settings of the workspace, and `certifies` for the members of the group that its
 * admins have named.
 */
export type Switch = WorkspaceSwitch | 'certifies';

/** The switches that are on in the stored record of a workspace. */
export const switchesOf = (workspace: Readonly<Record<string, unknown>>): WorkspaceSwitch[] =>
  (Object.keys(WORKSPACE_SWITCHES) as WorkspaceSwitch[]).filter(
    (name) => (workspace[name] ?? WORKSPACE_SWITCHES[name]) === true,
  );

/** What decides over permissions: the role in the workspace, the role in the company, and the scope of an API key. */
export interface Caller {
  role: Role;
  companyRole: CompanyRole;
  /** Null for a signed-in user. */
  scope: KeyScope | null;
  /** The switches that are on for the caller. */
  switches?: readonly Switch[] | undefined;
}

export const PERMISSIONS = {
  'session:read': { role: 'viewer', key: 'read' },
  'session:end': { role: 'viewer', key: null },
  'entitlements:read': { role: 'viewer', key: 'read' },
  'usage:read': { role: 'admin', key: 'admin' },
  'api-keys:manage': { role: 'admin', key: null, isFresh: true },
  // What concerns the company as a whole: workspaces, identity providers, provisioning, licences.
  'company:manage': { role: 'viewer', key: null, companyRole: 'company_admin', isFresh: true },
  'workspace:manage': { role: 'admin', key: 'admin', isFresh: true },
  // Everything at once, for a person who answers for it.
  'workspace:export': { role: 'admin', key: null },
  // Company admins read the log of the company, whatever their role in the workspace.
  'audit:read': { role: 'admin', key: 'admin', insteadOfRole: 'company_admin' },
  'members:read': { role: 'viewer', key: 'read' },
  // A member may sign in and make keys, so a key that adds members or admins would outlive its own end.
  'members:manage': { role: 'admin', key: null, isFresh: true },
  'groups:read': { role: 'viewer', key: 'read' },
  'groups:manage': { role: 'admin', key: 'admin', isFresh: true },
  'data-sources:read': { role: 'editor', key: 'read' },
  'data-sources:manage': { role: 'admin', key: 'admin' },
  // Files, and the sources that contain only those.
  'data-sources:upload': {
    role: 'admin',
    key: 'admin',
    opened: { by: 'editorsMayUpload', role: 'editor', key: 'read/write' },
  },
  'secrets:read': { role: 'editor', key: 'read' },
  'secrets:manage': { role: 'admin', key: 'admin' },
  'datasets:read': { role: 'viewer', key: 'read' },
  'datasets:write': { role: 'editor', key: 'read/write' },
  'query:run': { role: 'editor', key: 'read/write', opened: { by: 'viewersMayQuery', role: 'viewer' } },
  'saved-queries:read': { role: 'viewer', key: 'read' },
  'saved-queries:run': { role: 'viewer', key: 'read' },
  'saved-queries:write': { role: 'editor', key: 'read/write' },
  'models:read': { role: 'viewer', key: 'read' },
  'models:write': { role: 'editor', key: 'read/write' },
  // Row-level security decides what others see, as roles do.
  'model-policies:manage': { role: 'admin', key: 'admin', isFresh: true },
  'models:override': { role: 'admin', key: 'admin' },
  'blends:read': { role: 'viewer', key: 'read' },
  'blends:write': { role: 'editor', key: 'read/write' },
  'metrics:read': { role: 'viewer', key: 'read' },
  'metrics:write': { role: 'editor', key: 'read/write' },
  'dashboards:read': { role: 'viewer', key: 'read' },
  'dashboards:export': { role: 'viewer', key: 'read' },
  // Personal bookmarks.
  'dashboards:bookmark': { role: 'viewer', key: 'read/write' },
  'dashboards:write': { role: 'editor', key: 'read/write' },
  // Charts that are not saved. Callers could ask the models, datasets, queries, metrics and blends of these one by one.
  'charts:preview': { role: 'viewer', key: 'read' },
  'dashboards:override': { role: 'admin', key: 'admin' },
  'reports:read': { role: 'viewer', key: 'read' },
  'reports:export': { role: 'viewer', key: 'read' },
  'reports:write': { role: 'editor', key: 'read/write' },
  'comments:read': { role: 'viewer', key: 'read' },
  // Everyone who sees an object, unless the workspace restricts it.
  'comments:write': { role: 'viewer', key: 'read/write' },
  'stories:read': { role: 'viewer', key: 'read' },
  'stories:export': { role: 'viewer', key: 'read' },
  // Following, presence and the decisions of reviewers.
  'stories:follow': { role: 'viewer', key: 'read/write' },
  'stories:write': { role: 'editor', key: 'read/write' },
  'stories:override': { role: 'admin', key: 'admin' },
  'catalog:read': { role: 'viewer', key: 'read' },
  'catalog:write': { role: 'editor', key: 'read/write' },
  // Approves any term, beside its reviewers.
  'catalog:approve': { role: 'admin', key: 'admin' },
  // The domains of the business.
  'catalog:organize': { role: 'admin', key: 'admin', opened: { by: 'certifies', role: 'viewer' } },
  // Vouches for objects, and advises against them.
  'catalog:certify': { role: 'admin', key: 'admin', opened: { by: 'certifies', role: 'viewer' } },
  'alerts:read': { role: 'viewer', key: 'read' },
  // Viewers have alerts of their own; only editors notify others.
  'alerts:write': { role: 'viewer', key: 'read/write' },
  'alerts:manage': { role: 'editor', key: 'read/write' },
  // Has others notified of rows that they may not see.
  'alerts:share': { role: 'admin', key: 'admin' },
  // Links open content to readers without a sign-in.
  'shares:manage': { role: 'admin', key: 'admin', isFresh: true },
  // A search returns only what the caller could read one by one.
  'search:read': { role: 'viewer', key: 'read' },
  // Serves agents; what their tools read needs the permissions of the operations that they call.
  'agents:use': { role: 'viewer', key: 'read' },
  // What files say of an object needs the permissions of the operations that read and change it.
  'definitions:use': { role: 'viewer', key: 'read' },
  // Keeps others from deploying a project beside oneself.
  'definitions:deploy': { role: 'editor', key: 'read/write' },
  'themes:read': { role: 'viewer', key: 'read' },
  'themes:manage': { role: 'admin', key: 'admin' },
  'quality:read': { role: 'viewer', key: 'read' },
  'quality:write': { role: 'editor', key: 'read/write' },
  'quality:configure': { role: 'admin', key: 'admin' },
  'pipelines:read': { role: 'viewer', key: 'read' },
  'pipelines:write': { role: 'editor', key: 'read/write' },
  'webhooks:read': { role: 'viewer', key: 'read' },
  'webhooks:write': { role: 'viewer', key: 'read/write' },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof PERMISSIONS;

/**
 * What a caller may do whose workspace is deleted and can be restored: end the sign-in or go elsewhere, and manage the
 * company.
 */
export const isAllowedSuspended = (permission: Permission): boolean =>
  permission === 'company:manage' || permission === 'session:read' || permission === 'session:end';

/** The effective permission is the lower one of the roles and, for an API key, its scope. */
export function isPermitted(permission: Permission, caller: Caller): boolean {
  const grant: Grant = PERMISSIONS[permission];
  return (
    hasRole(grant, caller) &&
    COMPANY_ROLES.indexOf(caller.companyRole) >= COMPANY_ROLES.indexOf(grant.companyRole ?? COMPANY_ROLES[0]) &&
    isInScope(permission, caller)
  );
}

/** What opens the permission to the caller, if anything does. */
const openedTo = ({ opened }: Grant, { switches }: Pick<Caller, 'switches'>) =>
  opened && switches?.includes(opened.by) ? opened : undefined;

function hasRole(grant: Grant, caller: Caller): boolean {
  const { role, insteadOfRole } = grant;
  const lowest = openedTo(grant, caller)?.role ?? role;
  if (ROLES.indexOf(caller.role) >= ROLES.indexOf(lowest)) return true;
  return insteadOfRole !== undefined && caller.scope === null && caller.companyRole === insteadOfRole;
}

/** Whether the rights of a caller must not come from a cache. */
export const needsFreshRights = (permission: Permission): boolean =>
  (PERMISSIONS[permission] as Grant).isFresh === true;

/** Whether the scope of a key includes the permission; null is the scope of a signed-in user. */
export function isInScope(permission: Permission, caller: Pick<Caller, 'scope' | 'switches'>): boolean {
  const grant: Grant = PERMISSIONS[permission];
  if (caller.scope === null) return true;
  const lowest = openedTo(grant, caller)?.key ?? grant.key;
  return lowest !== null && KEY_SCOPES.indexOf(caller.scope) >= KEY_SCOPES.indexOf(lowest);
}
