import { definitionRepository, deploymentLeases } from '../../../shared/domains/catalog/definitions/index.ts';
import { isPermitted } from '../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { secretMarks } from '../../../shared/platform/crypto/secret-marks.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { YAML } from '../../../shared/platform/validation/yaml-file.ts';
import { type GroupFunctions, operationsFor } from '../common/operations.ts';
import * as routes from './routes.ts';
import { compareSecrets } from './use-cases/compare-secrets.ts';
import type { Context, Deps } from './use-cases/context.ts';
import { deleteDefinition } from './use-cases/delete-definition.ts';
import { deployDefinition } from './use-cases/deploy-definition.ts';
import { holdLease, releaseLease } from './use-cases/deployment-lease.ts';
import { findDeletion } from './use-cases/find-deletion.ts';
import { listDefinitions } from './use-cases/list-definitions.ts';
import { listKinds } from './use-cases/list-kinds.ts';
import { moveDefinition } from './use-cases/move-definition.ts';
import { readDefinition } from './use-cases/read-definition.ts';

const group = openGroup('definitions');
const deps: Deps = {
  definitions: definitionRepository(group.table),
  leases: deploymentLeases(group.table),
  marks: secretMarks(group.master),
  now: group.now,
};
const functions: GroupFunctions = {
  'data-sources': environment('DATA_SOURCES_FUNCTION'),
  datasets: environment('DATASETS_FUNCTION'),
  'saved-queries': environment('SAVED_QUERIES_FUNCTION'),
  models: environment('MODELS_FUNCTION'),
  metrics: environment('METRICS_FUNCTION'),
  'data-quality': environment('DATA_QUALITY_FUNCTION'),
  pipelines: environment('PIPELINES_FUNCTION'),
  'pipeline-authoring': environment('PIPELINE_AUTHORING_FUNCTION'),
  dashboards: environment('DASHBOARDS_FUNCTION'),
  themes: environment('THEMES_FUNCTION'),
  webhooks: environment('WEBHOOKS_FUNCTION'),
  groups: environment('GROUPS_FUNCTION'),
  catalog: environment('CATALOG_FUNCTION'),
  alerts: environment('ALERTS_FUNCTION'),
  blends: environment('BLENDS_FUNCTION'),
  reports: environment('REPORTS_FUNCTION'),
};

interface Received {
  principal: Principal;
  headers: Record<string, string>;
  sourceIp: string;
  requestId: string;
}

function contextOf({ principal, headers, sourceIp, requestId }: Received): Context {
  const { workspaceId, userId, companyId } = principal;
  const { authorization = '', 'user-agent': userAgent = '' } = headers;
  const operations = operationsFor(functions, { authorization, userAgent, sourceIp, requestId });
  const mayKnow = isPermitted('definitions:deploy', principal);
  const deletionOf: Context['deletionOf'] = async (record) =>
    mayKnow ? findDeletion(group.table, companyId, record) : undefined;
  const seesDeployed = isPermitted('definitions:deploy', { ...principal, scope: null });
  return { ...deps, operations, workspaceId, userId, seesDeployed, deletionOf };
}

export const handler = endpointGroup(
  [
    bind(routes.listDefinitions, (call) => listDefinitions(contextOf(call), call.query)),
    bind(routes.listDefinitionKinds, async ({ query }) => ({ items: listKinds(query.kind) })),
    bind(routes.compareDefinitionSecrets, async (call) => ({
      items: await compareSecrets(contextOf(call), call.body.items),
    })),
    bind(routes.getDefinition, async (call) => {
      const definition = await readDefinition(contextOf(call), call.params);
      const { yaml, digest } = definition;
      return call.contentType === YAML ? new Content(yaml, { etag: `"${digest}"` }) : definition;
    }),
    bind(routes.deployDefinition, (call) =>
      deployDefinition(contextOf(call), { ...call.params, ...call.query, ...call.body }),
    ),
    bind(routes.moveDefinition, (call) => moveDefinition(contextOf(call), { ...call.params, ...call.body })),
    bind(routes.holdDeploymentLease, (call) => holdLease(contextOf(call), { ...call.params, ...call.body })),
    bind(routes.releaseDeploymentLease, (call) => {
      const { project, leaseId } = call.params;
      return releaseLease(contextOf(call), { project, id: leaseId });
    }),
    bind(routes.deleteDefinition, (call) => deleteDefinition(contextOf(call), { ...call.params, ...call.query })),
  ],
  group,
);
