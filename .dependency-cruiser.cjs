/**
 * The layers of the code: platform ← data ← domains ← functions ← infra. Run by `npm run lint`.
 * A folder imports from its own layer or from a lower one, and no circle of files or folders is allowed.
 */

/** The areas of `shared/domains`, in order: an area knows itself and those before it. */
const AREAS = [
  'events',
  'tenancy',
  'identity',
  'delivery',
  'warehouse',
  'engine',
  'semantics',
  'quality',
  'pipelines',
  'boards',
  'stories',
  'sharing',
  'alerts',
  'catalog',
  'upkeep',
];
/** Areas of one domain, which stands in the folder of the area. */
const ALONE = 'engine|quality';
/** A domain: `shared/domains/<area>/<domain>`. */
const DOMAIN = `shared/domains/((?:${ALONE})|(?!(?:${ALONE})/)[^/]+/[^/]+)`;

/** Rooms of an area with what its endpoint groups have in common. */
const ROOMS =
  '^functions/(boards/(common|browser)|catalog/common|delivery/schedules|delivery/kinds|pipelines/common|tenancy/access|platform/browser|platform/example-values[.]ts)';

/** The scripts of the console: a screen knows the three others, and each of them those before it. */
const CONSOLE = 'functions/platform/console/site';
const CONSOLE_LAYERS = ['ui', 'data', 'shell'];

const layer = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: to },
});

module.exports = {
  forbidden: [
    layer(
      'platform-is-the-ground',
      '^shared/platform/',
      '^(shared/(data|domains)|functions|infra)/',
      'The platform knows nothing of the product.',
    ),
    layer(
      'data-knows-no-domain',
      '^shared/data/',
      '^(shared/domains|functions|infra)/',
      'The data layer knows no domain.',
    ),
    {
      ...layer(
        'data-knows-no-table',
        '^shared/data/',
        '(^shared/platform/(storage|auth|jobs|http/(?!schemas\\.ts))|@aws-sdk/(client|lib)-dynamodb)',
        'The data layer knows no tenant and no DynamoDB.',
      ),
    },
    layer(
      'domains-know-no-function',
      '^shared/domains/',
      '^(functions|infra)/',
      'Domains know nothing of functions and infrastructure.',
    ),
    layer('functions-know-no-infra', '^functions/', '^infra/', 'Functions know nothing of infrastructure.'),
    ...AREAS.map((area, place) => ({
      name: `areas-in-order-${area}`,
      comment: `The area ${area} knows those before it: ${AREAS.slice(0, place).join(', ') || 'none'}.`,
      severity: 'error',
      from: { path: `^shared/domains/${area}/` },
      to: { path: '^shared/domains/', pathNot: `^shared/domains/(${AREAS.slice(0, place + 1).join('|')})/` },
    })),
    {
      name: 'domain-has-an-area',
      comment: 'A domain stands in one of the areas, which are in order.',
      severity: 'error',
      from: { path: '^shared/domains/', pathNot: `^shared/domains/(${AREAS.join('|')})/` },
      to: {},
    },
    {
      name: 'domain-door',
      comment: 'A domain is entered by its index.ts.',
      severity: 'error',
      from: { path: `^${DOMAIN}/` },
      to: { path: '^shared/domains/', pathNot: ['^shared/domains/$1/', `^${DOMAIN}/index\\.ts$`] },
    },
    {
      name: 'domain-door-for-others',
      comment: 'A domain is entered by its index.ts.',
      severity: 'error',
      from: { path: '^(functions|infra)/' },
      to: { path: '^shared/domains/', pathNot: `^${DOMAIN}/index\\.ts$` },
    },
    {
      name: 'groups-stay-apart',
      comment:
        'An endpoint group imports no other group and no worker; what two of them need belongs to a domain, or to a ' +
        'room of an area that has no handler.',
      severity: 'error',
      from: { path: '^functions/([^/]+/[^/]+)/', pathNot: '^functions/[^/]+/workers/' },
      to: { path: '^functions/[^/]+/[^/]+/', pathNot: ['^functions/$1/', ROOMS] },
    },
    {
      name: 'rooms-know-no-group',
      severity: 'error',
      from: { path: ROOMS },
      to: { path: '^functions/[^/]+/[^/]+/', pathNot: ROOMS },
    },
    {
      name: 'screens-stay-apart',
      comment: 'A screen of the console imports `ui`, `data` and `shell`, and no other screen.',
      severity: 'error',
      from: { path: `^${CONSOLE}/screens/([^/]+)/` },
      to: { path: `^${CONSOLE}/`, pathNot: [`^${CONSOLE}/screens/$1/`, `^${CONSOLE}/(${CONSOLE_LAYERS.join('|')})/`] },
    },
    ...CONSOLE_LAYERS.map((name, place) => ({
      name: `console-layers-in-order-${name}`,
      comment: `In the console, ${name} knows no screen, and of the other layers: ${CONSOLE_LAYERS.slice(0, place).join(', ') || 'none'}.`,
      severity: 'error',
      from: { path: `^${CONSOLE}/${name}/` },
      to: { path: `^${CONSOLE}/`, pathNot: `^${CONSOLE}/(${CONSOLE_LAYERS.slice(0, place + 1).join('|')})/` },
    })),
    {
      name: 'data-by-the-client-alone',
      comment: 'The console reaches the API by the TypeScript client, which `data` opens.',
      severity: 'error',
      from: { path: `^${CONSOLE}/`, pathNot: `^${CONSOLE}/data/` },
      to: { path: '^clients/' },
    },
    {
      name: 'local-cloud-stands-alone',
      comment: 'The local cloud is a package of its own: it imports nothing of the product.',
      severity: 'error',
      from: { path: '^packages/local-cloud/' },
      to: { path: '^(shared|functions|test|infra)/' },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { path: '^(shared|functions|infra|packages/local-cloud/(?!test/))' },
      to: { path: '^test/' },
    },
    {
      name: 'runtime-imports-are-dependencies',
      comment: 'What is deployed, or imported by `npm start`, stands in `dependencies` of package.json.',
      severity: 'error',
      from: {
        path: '^(shared|functions|infra|packages/[^/]+)/',
        pathNot: '^(infra/(docs|maps)/|packages/[^/]+/(test/|testing/|vitest))',
      },
      to: {
        dependencyTypes: ['npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    { name: 'no-circle-of-files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circle-of-folders',
      scope: 'folder',
      severity: 'error',
      from: { path: '^(shared|functions|infra|packages)/' },
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|cdk\\.out)' },
    // As Node resolves packages.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'require', 'types'],
    },
  },
};
