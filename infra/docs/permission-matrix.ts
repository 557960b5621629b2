import { GROUPS } from '../../functions/api.ts';
import type { Section } from '../../functions/group.ts';
import { type Grant, PERMISSIONS, type Switch } from '../../shared/platform/auth/permissions.ts';
import type { Route } from '../../shared/platform/http/route.ts';
import { table } from './markdown-table.ts';

const OPENED_FOR: Record<Switch, string> = {
  viewersMayQuery: 'if `viewersMayQuery` is on',
  editorsMayUpload: 'if `editorsMayUpload` is on',
  certifies: 'in the group of certifiers (`certifierGroupId`)',
};

const LEAD = `# Permissions

Who may call which operation. Every caller needs all that the row asks for:

- **Role**: the lowest role in the workspace. \`admin\` includes \`editor\`, which includes \`viewer\`. A _company admin_ needs
  no role beyond membership. An admin may open some operations to a lower role by a setting of the
  workspace (\`PATCH /api/workspaces/current\`).
- **API key**: the lowest scope of a key. \`admin\` includes \`read/write\`, which includes \`read\`. A key acts for the member who created it:
  the member's role must suffice too.
- **Or with**: a [grant](groups.md#grant-access-to-one-object) on the object that takes the place of the role.

A caller without the permission gets 403 \`FORBIDDEN\`. Objects of other workspaces get the same reply as objects that do not exist.
`;

/** The page `docs/permissions.md`: every operation with the role and the scope that it needs. */
export function permissionMatrix(): string {
  const sections = GROUPS.flatMap((group) => group.sections).filter(({ routes }) => routes.length > 0);
  return `${[LEAD, ...sections.map(matrixOf)].join('\n')}`;
}

function matrixOf({ title, routes }: Section): string {
  const rows = routes
    .toSorted(byPath)
    .map((route) => [
      route.summary,
      `\`${route.method} ${route.path}\``,
      ...needsOf(route),
      route.grant ? `\`${route.grant.level}\` of the ${route.grant.type.replaceAll('-', ' ')}` : '',
    ]);
  return `## ${title}\n\n${table(['Operation', 'Request', 'Role', 'API key', 'Or with'], rows)}\n`;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function byPath(a: Route, b: Route): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
}

function needsOf({ permission }: Route): [role: string, key: string] {
  if (permission === 'public') return ['none', 'none'];
  if (permission === 'scim') return ['SCIM token', 'never'];
  const { role, key, companyRole, insteadOfRole, opened }: Grant = PERMISSIONS[permission];
  const lower = opened ? `, or \`${opened.role}\` ${OPENED_FOR[opened.by]}` : '';
  const inWorkspace = `\`${role}\`${insteadOfRole ? ' or company admin' : ''}${lower}`;
  const lowerKey = opened?.key ? `, or \`${opened.key}\` ${OPENED_FOR[opened.by]}` : '';
  return [
    companyRole === 'company_admin' ? 'company admin' : inWorkspace,
    key === null ? 'never' : `\`${key}\`${lowerKey}`,
  ];
}
