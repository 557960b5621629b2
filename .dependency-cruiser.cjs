/**
 * The layers of the code: platform ← data ← domains ← functions ← infra. Run by `npm run lint`.
 * A folder imports from its own layer or from a lower one, and no circle of files or folders is allowed.
 */
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
    {
      name: 'domain-door',
      comment: 'A domain is entered by its index.ts.',
      severity: 'error',
      from: { path: '^shared/domains/([^/]+)/' },
      to: { path: '^shared/domains/', pathNot: ['^shared/domains/$1/', '^shared/domains/[^/]+/index\\.ts$'] },
    },
    {
      name: 'domain-door-for-others',
      comment: 'A domain is entered by its index.ts.',
      severity: 'error',
      from: { path: '^(functions|infra)/' },
      to: { path: '^shared/domains/', pathNot: '^shared/domains/[^/]+/index\\.ts$' },
    },
    {
      name: 'groups-stay-apart',
      comment: 'An endpoint group imports no other group; what two of them need belongs to a domain.',
      severity: 'error',
      from: { path: '^functions/(?!workers/)([^/]+)/' },
      to: { path: '^functions/[^/]+/', pathNot: '^functions/$1/' },
    },
    {
      name: 'local-cloud-stands-alone',
      comment: 'The local cloud is a package of its own: it imports nothing of the product.',
      severity: 'error',
      from: { path: '^packages/local-cloud/' },
      to: { path: '^(shared|functions|test|infra/(?!local-cloud/))' },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { path: '^(shared|functions|infra)/', pathNot: '^packages/local-cloud/test/' },
      to: { path: '^test/' },
    },
    { name: 'no-circle-of-files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circle-of-folders',
      scope: 'folder',
      severity: 'error',
      from: { path: '^(shared|functions|infra)/' },
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|dist|cdk\\.out)' },
  },
};
