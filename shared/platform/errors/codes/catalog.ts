import type { ErrorTable } from '../error-kind.ts';

export const CATALOG_ERRORS = {
  // Catalog
  TERM_NOT_FOUND: ['notFound', 'The workspace has no such term. List terms with GET /api/catalog/terms.'],
  TERM_NAME_TAKEN: ['conflict', 'Another term has this name; case does not matter. Choose a different one.'],
  TERM_REVIEWERS_ONLY: ['forbidden', 'Only admins and the reviewers of the term may do this. Ask one of them.'],
  TERM_CYCLE: [
    'conflict',
    'The relation would lead back to the term itself. First remove another relation on that path.',
  ],
  TERM_TOO_DEEP: [
    'conflict',
    'At most ten relations may lead from the narrowest term to the broadest one, or from a term to its last successor. Relate the term to one further along.',
  ],
  TERM_FULL: ['conflict', 'A term has at most 500 relations and 1,000 links. Remove some first.'],
  TERM_IMPORT_RUNNING: [
    'conflict',
    'Terms are being imported, so no term can be changed right now. Try again in a minute.',
  ],
  TERM_OBJECT_NOT_FOUND: [
    'notFound',
    'The workspace has no such object that you can see. Check the type and the id in the path.',
  ],
  TERM_PROPOSAL_NOT_FOUND: [
    'notFound',
    'The term has no such proposal. List them with GET /api/catalog/terms/{id}/proposals.',
  ],
  TERM_PROPOSAL_DECIDED: [
    'conflict',
    'The proposal has already been accepted or rejected, and not as you asked. Change the term, or propose the change again.',
  ],
  TERM_PROPOSAL_STALE: [
    'conflict',
    'A field that the proposal changes has been changed since. Change the term yourself, or reject the proposal.',
  ],
  ASSET_NOT_FOUND: [
    'notFound',
    'The catalog has no such object that you can see. List them with GET /api/catalog/assets.',
  ],
  CATALOG_DOMAIN_NOT_FOUND: ['notFound', 'The workspace has no such domain. List them with GET /api/catalog/domains.'],
  CATALOG_DOMAIN_NAME_TAKEN: [
    'conflict',
    'The workspace already has a domain with this name. Choose a different one; case does not matter.',
  ],
  TOO_MANY_CATALOG_DOMAINS: ['conflict', 'A workspace has at most 200 domains. Delete some first.'],
  CERTIFIED_OBJECT_NOT_FOUND: [
    'notFound',
    'The workspace has no such object that you can see. Check the type and the id; parts of models need `modelId`.',
  ],
  CERTIFICATION_STALE: [
    'conflict',
    'The object has changed since the revision that you name. Read it again before you certify it.',
  ],
  CERTIFICATION_FULL: [
    'conflict',
    'At most 100 parts and 200 metrics of a model are certified, with notes of 300 KB together. Withdraw some first.',
  ],

  // Definitions as files
  DEFINITION_NOT_FOUND: [
    'notFound',
    'The workspace has no such object that you can see. List the keys of a kind with GET /api/definitions?kind=….',
  ],
  DEFINITION_REJECTED: [
    'unprocessable',
    'The operation that creates or changes the object has rejected the file. See `errors` for the issues and their places in the file.',
  ],
  DEFINITION_DRIFTED: [
    'stale',
    'The object has changed since its file was last deployed, or no file has been deployed to it. Pull the change, or repeat the request with the `digest` of this reply: as `overwrite` to deploy, as `digest` to delete.',
  ],
  DEFINITION_UNMANAGED: [
    'conflict',
    'An object with this key exists, and no file manages it. Deploy with `adopt=true` to manage it from the file.',
  ],
  DEFINITION_MANAGED_ELSEWHERE: [
    'conflict',
    'Another project manages the object. Deploy with `adopt=true` to manage it from this one.',
  ],
  DEFINITION_KEY_TAKEN: ['conflict', 'Another object of the kind has or had the new key. Choose another one.'],
  DEPLOYMENT_LEASE_NOT_FOUND: [
    'notFound',
    'You do not hold this lease of the project, or it has ended. Take it again before you go on.',
  ],
  DEPLOYMENT_LEASED: [
    'conflict',
    'Another deployment of the project is running: see `lease`. Try again when it has ended, or when its lease has expired.',
  ],
  DEFINITION_GONE: [
    'conflict',
    'The object was deployed before and has been deleted since. Deploy with `recreate=true` to create it again.',
  ],
  DEFINITION_PROPOSED: [
    'conflict',
    'Only reviewers may change the object, so the change was proposed to them. Deploy again once they have accepted it.',
  ],
  DEFINITION_HAS_DATA: [
    'conflict',
    'The object has data that is not in its file. Send `withData=true` to delete the data too.',
  ],
} as const satisfies ErrorTable;
