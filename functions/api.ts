import { group as alerts } from './alerts/alerts/group.ts';
import { group as cardStream } from './boards/card-stream/group.ts';
import { group as cards } from './boards/cards/group.ts';
import { group as dashboards } from './boards/dashboards/group.ts';
import { group as exports } from './boards/exports/group.ts';
import { group as pages } from './boards/pages/group.ts';
import { group as reports } from './boards/reports/group.ts';
import { group as themes } from './boards/themes/group.ts';
import { group as catalog } from './catalog/catalog/group.ts';
import { group as definitions } from './catalog/definitions/group.ts';
import { group as lineage } from './catalog/lineage/group.ts';
import { group as mcp } from './catalog/mcp/group.ts';
import { group as search } from './catalog/search/group.ts';
import { group as webhooks } from './events/webhooks/group.ts';
import type { Group } from './group.ts';
import { group as apiKeys } from './identity/api-keys/group.ts';
import { group as auth } from './identity/auth/group.ts';
import { group as scim } from './identity/scim/group.ts';
import { group as sso } from './identity/sso/group.ts';
import { group as pipelineAuthoring } from './pipelines/pipeline-authoring/group.ts';
import { group as pipelineEvents } from './pipelines/pipeline-events/group.ts';
import { group as pipelines } from './pipelines/pipelines/group.ts';
import { group as consolePages } from './platform/console/group.ts';
import { group as docs } from './platform/docs/group.ts';
import { group as dataQuality } from './quality/data-quality/group.ts';
import { group as blends } from './semantics/blends/group.ts';
import { group as metrics } from './semantics/metrics/group.ts';
import { group as models } from './semantics/models/group.ts';
import { group as query } from './semantics/query/group.ts';
import { group as questions } from './semantics/questions/group.ts';
import { group as savedQueries } from './semantics/saved-queries/group.ts';
import { group as embedding } from './sharing/embedding/group.ts';
import { group as shares } from './sharing/shares/group.ts';
import { group as comments } from './stories/comments/group.ts';
import { group as liveBlocks } from './stories/live-blocks/group.ts';
import { group as stories } from './stories/stories/group.ts';
import { group as storyDeliveries } from './stories/story-deliveries/group.ts';
import { group as audit } from './tenancy/audit/group.ts';
import { group as company } from './tenancy/company/group.ts';
import { group as entitlements } from './tenancy/entitlements/group.ts';
import { group as groups } from './tenancy/groups/group.ts';
import { group as workspaces } from './tenancy/workspaces/group.ts';
import { group as dataSources } from './warehouse/data-sources/group.ts';
import { group as datasets } from './warehouse/datasets/group.ts';

/** Every endpoint group of the API. The stacks, the OpenAPI document and the tests use this list. */
export const GROUPS: readonly Group[] = [
  auth,
  sso,
  apiKeys,
  workspaces,
  company,
  groups,
  scim,
  entitlements,
  audit,
  dataSources,
  datasets,
  query,
  savedQueries,
  models,
  questions,
  blends,
  metrics,
  dashboards,
  cards,
  cardStream,
  exports,
  reports,
  stories,
  liveBlocks,
  storyDeliveries,
  pages,
  comments,
  shares,
  embedding,
  alerts,
  catalog,
  lineage,
  definitions,
  search,
  mcp,
  themes,
  dataQuality,
  pipelines,
  pipelineEvents,
  pipelineAuthoring,
  webhooks,
  consolePages,
  docs,
];
