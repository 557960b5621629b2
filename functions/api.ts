import { group as apiKeys } from './api-keys/group.ts';
import { group as audit } from './audit/group.ts';
import { group as auth } from './auth/group.ts';
import { group as cardStream } from './card-stream/group.ts';
import { group as cards } from './cards/group.ts';
import { group as company } from './company/group.ts';
import { group as dashboards } from './dashboards/group.ts';
import { group as dataQuality } from './data-quality/group.ts';
import { group as dataSources } from './data-sources/group.ts';
import { group as datasets } from './datasets/group.ts';
import { group as docs } from './docs/group.ts';
import { group as embedding } from './embedding/group.ts';
import { group as entitlements } from './entitlements/group.ts';
import { group as exports } from './exports/group.ts';
import type { Group } from './group.ts';
import { group as groups } from './groups/group.ts';
import { group as metrics } from './metrics/group.ts';
import { group as models } from './models/group.ts';
import { group as pages } from './pages/group.ts';
import { group as pipelineAuthoring } from './pipeline-authoring/group.ts';
import { group as pipelineEvents } from './pipeline-events/group.ts';
import { group as pipelines } from './pipelines/group.ts';
import { group as query } from './query/group.ts';
import { group as questions } from './questions/group.ts';
import { group as reports } from './reports/group.ts';
import { group as savedQueries } from './saved-queries/group.ts';
import { group as scim } from './scim/group.ts';
import { group as shares } from './shares/group.ts';
import { group as sso } from './sso/group.ts';
import { group as themes } from './themes/group.ts';
import { group as webhooks } from './webhooks/group.ts';
import { group as workspaces } from './workspaces/group.ts';

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
  metrics,
  dashboards,
  cards,
  cardStream,
  exports,
  reports,
  pages,
  shares,
  embedding,
  themes,
  dataQuality,
  pipelines,
  pipelineEvents,
  pipelineAuthoring,
  webhooks,
  docs,
];
