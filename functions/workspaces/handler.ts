import { hashPassword } from '../../shared/auth/password.ts';
import { bind } from '../../shared/http/bind.ts';
import { endpointGroup } from '../../shared/http/endpoint-group.ts';
import { openGroup } from '../../shared/http/open-group.ts';
import { workspaceRepository } from './repository.ts';
import * as routes from './routes.ts';
import { addMember } from './use-cases/add-member.ts';
import { changeMember } from './use-cases/change-member.ts';
import { createWorkspace } from './use-cases/create-workspace.ts';
import { getWorkspace } from './use-cases/get-workspace.ts';
import { removeMember } from './use-cases/remove-member.ts';

const group = openGroup('workspaces');
const deps = { workspaces: workspaceRepository(group.table), now: group.now, hashPassword };

export const handler = endpointGroup(
  [
    bind(routes.createWorkspace, ({ principal, body, newId }) =>
      createWorkspace(deps, principal, { id: newId, name: body.name }),
    ),
    bind(routes.getWorkspace, ({ principal }) => getWorkspace(deps, principal.workspaceId)),
    bind(routes.listMembers, ({ principal, query }) => deps.workspaces.members(principal.workspaceId, query)),
    bind(routes.addMember, ({ principal, body, newId }) => addMember(deps, principal, { ...body, newUserId: newId })),
    bind(routes.changeMember, ({ principal, params, body }) =>
      changeMember(deps, { workspaceId: principal.workspaceId, userId: params.userId, role: body.role }),
    ),
    bind(routes.removeMember, ({ principal, params }) =>
      removeMember(deps, { workspaceId: principal.workspaceId, userId: params.userId }),
    ),
  ],
  group,
);
