import type { Route } from '../../shared/platform/http/route.ts';

/** The resource of a client that has the operations of a section, and the nouns that the names of its methods omit. */
interface Naming {
  resource: string;
  nouns: readonly string[];
}

const named = (resource: string, ...nouns: string[]): Naming => ({ resource, nouns });

/** By the titles of sections. What browsers open (pages, redirects) is no part of clients. */
export const RESOURCES: Readonly<Record<string, Naming | null>> = {
  Auth: named('auth'),
  Passkeys: named('auth'),
  'Sign-in by device': named('auth'),
  'Single sign-on': named('auth'),
  'Identity providers': named('identityProviders', 'IdentityProviders', 'IdentityProvider'),
  'API keys': named('apiKeys', 'ApiKeys', 'ApiKey'),
  'Service accounts': named('serviceAccounts', 'ServiceAccounts', 'ServiceAccount'),
  Workspaces: named('workspaces', 'Workspace'),
  'Exports of workspaces': named('workspaces', 'Workspace'),
  Secrets: named('secrets', 'Secrets', 'Secret'),
  Company: named('company', 'Company'),
  Groups: named('groups', 'Groups', 'Group'),
  'SCIM tokens': named('scim', 'Scim'),
  'Attributes from provisioning': named('scim', 'Scim'),
  SCIM: named('scim', 'scim'),
  'Entitlements and usage': named('usage'),
  'Audit log': named('auditLog', 'AuditLog', 'Audit'),
  'Data sources': named('dataSources', 'DataSources', 'DataSource', 'Source'),
  Datasets: named('datasets', 'Datasets', 'Dataset'),
  Queries: named('query', 'Query'),
  'Saved queries': named('savedQueries', 'SavedQueries', 'SavedQuery'),
  Models: named('models', 'Models', 'Model'),
  'Model tables and fields': named('models', 'Models', 'Model'),
  'Relationships, hierarchies and row-level security': named('models', 'Models', 'Model'),
  Measures: named('models', 'Models', 'Model'),
  'Model rollups': named('models', 'Models', 'Model'),
  'Model transforms': named('models', 'Models', 'Model'),
  Questions: named('models', 'Models', 'Model'),
  Blends: named('blends', 'Blends', 'Blend'),
  Metrics: named('metrics', 'Metrics', 'Metric'),
  'Metric values': named('metrics', 'Metrics', 'Metric'),
  'Digests of metrics': named('metrics', 'Metrics', 'Metric'),
  Dashboards: named('dashboards', 'Dashboards', 'Dashboard'),
  'Dashboard parts': named('dashboards', 'Dashboards', 'Dashboard'),
  'Dashboard bookmarks': named('dashboards', 'Dashboards', 'Dashboard'),
  'Dashboard deliveries': named('dashboards', 'Dashboards', 'Dashboard'),
  'Card data': named('dashboards', 'Dashboards', 'Dashboard'),
  Charts: named('charts', 'Charts', 'Chart'),
  'Card stream': named('dashboards', 'Dashboards', 'Dashboard'),
  Exports: named('exports'),
  'Link previews': named('exports'),
  Reports: named('reports', 'Reports', 'Report'),
  'Report deliveries': named('reports', 'Reports', 'Report'),
  Stories: named('stories', 'Stories', 'Story'),
  'Story templates': named('stories', 'Stories', 'Story'),
  'Story texts': named('stories', 'Stories', 'Story'),
  'Story sections': named('stories', 'Stories', 'Story'),
  'Live blocks': named('stories', 'Stories', 'Story'),
  'Story deliveries': named('stories', 'Stories', 'Story'),
  Pages: null,
  Console: null,
  Comments: named('comments', 'Comments', 'Comment'),
  'Share links': named('shares', 'Shares', 'Share'),
  Embedding: named('embedding', 'Embed'),
  Alerts: named('alerts', 'Alerts', 'Alert'),
  Notifications: named('alerts', 'Alert'),
  Terms: named('terms', 'Terms', 'Term'),
  'Terms as CSV': named('terms', 'Terms', 'Term'),
  Certifications: named('catalog', 'Catalog'),
  Assets: named('catalog', 'Catalog'),
  'Domains of the business': named('catalog', 'Catalog'),
  Lineage: named('catalog', 'Catalog'),
  Search: named('search', 'Search'),
  // Clients of the Model Context Protocol speak to it.
  Agents: null,
  'Definitions as files': named('definitions', 'Definitions', 'Definition'),
  Themes: named('themes', 'Themes', 'Theme'),
  'Data-quality tests': named('quality', 'Quality'),
  'Data-quality issues': named('quality', 'Quality'),
  'Data-quality scores': named('quality', 'Quality'),
  'Data-quality scans': named('quality', 'Quality'),
  'Data-quality suggestions': named('quality', 'Quality'),
  Pipelines: named('pipelines', 'Pipelines', 'Pipeline'),
  Runs: named('runs', 'Runs', 'Run'),
  'Run events': named('runs', 'Run'),
  'Triggers and backfills': named('pipelines', 'Pipelines', 'Pipeline'),
  'Quality gates': named('pipelines', 'Pipelines', 'Pipeline'),
  'Pipeline usage': named('pipelines', 'Pipelines', 'Pipeline'),
  'Pipeline authoring': named('pipelines', 'Pipelines', 'Pipeline'),
  'CDC streams': named('cdcStreams', 'CdcStreams', 'CdcStream'),
  Flowlets: named('flowlets', 'Flowlets', 'Flowlet'),
  Webhooks: named('webhooks', 'Webhooks', 'Webhook'),
  Documentation: null,
};

/** Operations whose name without its noun would say something else. */
const OTHERWISE: Readonly<Record<string, `${string}.${string}`>> = {
  deleteDashboards: 'dashboards.deleteMany',
  listStepRuns: 'runs.listSteps',
  runPipeline: 'pipelines.start',
  search: 'search.find',
  streamRunEvents: 'runs.events',
};

/** The name of the method: that of the operation without the noun of its resource, such as `list` of `listDatasets`. */
export function nameOf({ operationId }: Pick<Route, 'operationId'>, { resource, nouns }: Naming): [string, string] {
  const given = OTHERWISE[operationId];
  if (given) return given.split('.') as [string, string];
  const noun = nouns.map((word) => new RegExp(`${word}(?![a-z])`)).find((word) => word.test(operationId));
  const rest = noun === undefined ? operationId : operationId.replace(noun, '');
  return [resource, rest === '' ? operationId : rest[0]!.toLowerCase() + rest.slice(1)];
}
