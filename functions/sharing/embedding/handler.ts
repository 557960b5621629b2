import { embedDomainRepository, embedTokens, linkedContents } from '../../../shared/domains/sharing/shares/index.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../../shared/platform/http/open-group.ts';
import * as routes from './routes.ts';
import { createEmbedDomain, deleteEmbedDomain } from './use-cases/embed-domains.ts';
import { createEmbedToken } from './use-cases/embed-tokens.ts';

const group = openGroup('embedding');
const { table, now } = group;
const tokens = embedTokens(table);
const domains = embedDomainRepository(table);
const content = linkedContents(table);

export const handler = endpointGroup(
  [
    bind(routes.createEmbedToken, ({ principal, newId: id, body: wanted, headers }) =>
      createEmbedToken({ ...content, tokens, now }, { principal, id, wanted, baseUrl: baseUrl(headers) }),
    ),
    bind(routes.revokeEmbedToken, ({ principal: { workspaceId }, params: { jti: id } }) =>
      tokens.revoke({ workspaceId, id }),
    ),
    bind(routes.listEmbedDomains, ({ principal: { workspaceId }, query }) => domains.list(workspaceId, query)),
    bind(routes.createEmbedDomain, ({ principal, newId: id, body: { origin: text } }) =>
      createEmbedDomain({ domains, now }, { principal, id, text }),
    ),
    bind(routes.deleteEmbedDomain, ({ principal, params: { id } }) =>
      deleteEmbedDomain({ domains, now }, { principal, id }),
    ),
  ],
  group,
);
