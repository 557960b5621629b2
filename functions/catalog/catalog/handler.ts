import { catalogDomains } from '../../../shared/domains/catalog/domains/index.ts';
import {
  deletedTerms,
  termLinks,
  termProposals,
  termRelations,
  termRepository,
} from '../../../shared/domains/catalog/terms/index.ts';
import { downloadLinks } from '../../../shared/domains/semantics/queries/index.ts';
import { certifications } from '../../../shared/domains/tenancy/certifications/index.ts';
import { openSubjects } from '../../../shared/domains/tenancy/subjects/index.ts';
import { readMembers } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { SUBJECT_KINDS } from '../../../shared/domains/upkeep/subject-kinds/index.ts';
import { mayRead } from '../../../shared/platform/entitlements/may-read.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectUses } from '../../../shared/platform/object-use/object-use.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { cleanUpItem, type Ended } from '../../../shared/platform/storage/clean-ups.ts';
import { showingDefinitions } from '../common/showing-definitions.ts';
import * as assetRoutes from './assets/routes.ts';
import { getAsset, setEntry } from './assets/use-cases/catalog-entry.ts';
import type { AssetDeps } from './assets/use-cases/context.ts';
import { listAssets, listTags } from './assets/use-cases/list-assets.ts';
import * as certificationRoutes from './certifications/routes.ts';
import type { CertificationDeps } from './certifications/use-cases/context.ts';
import { getCertification, listEvents } from './certifications/use-cases/find-certification.ts';
import { setCertification } from './certifications/use-cases/set-certification.ts';
import * as domainRoutes from './domains/routes.ts';
import { createDomain, deleteDomain, listDomains, updateDomain } from './domains/use-cases/change-domains.ts';
import * as files from './files/routes.ts';
import { exportTerms } from './files/use-cases/export-terms.ts';
import { importTerms } from './files/use-cases/import-terms.ts';
import * as routes from './terms/routes.ts';
import type { TermDeps } from './terms/use-cases/context.ts';
import { acceptProposal, listProposals, rejectProposal } from './terms/use-cases/decide-proposal.ts';
import { deleteTerm } from './terms/use-cases/delete-term.ts';
import { listTerms, termDetails } from './terms/use-cases/find-term.ts';
import { listLinks, removeLink, setLink } from './terms/use-cases/link-term.ts';
import { addRelation, removeRelation } from './terms/use-cases/relate-terms.ts';
import { restoreTerm } from './terms/use-cases/restore-term.ts';
import { createTerm, updateTerm } from './terms/use-cases/save-term.ts';

const group = openGroup('catalog');
const { table, now, checkProduct } = group;
const bucket = environment('DATA_BUCKET');
const terms = termRepository(table);
const deps: TermDeps = {
  terms,
  deleted: deletedTerms(table),
  relations: termRelations(table, terms.key),
  links: termLinks(table, terms.key),
  proposals: termProposals(table, terms.key),
  subjects: openSubjects(table, SUBJECT_KINDS),
  mayRead: (principal, rule) => mayRead({ checkProduct, now: now() }, principal, rule),
  members: (workspaceId, userIds) => readMembers(table, workspaceId, userIds),
  cleanUpItem: (ended: Ended, at: Date) => cleanUpItem(table, ended, at),
  now,
};

const certifying: CertificationDeps = {
  table,
  certifications: certifications(table),
  mayRead: deps.mayRead,
  members: (workspaceId, userIds) => readMembers(table, workspaceId, userIds),
  now,
};
const fileDeps = { ...deps, table, links: downloadLinks(bucket, now), objects: objectStore(bucket) };

const cataloguing: AssetDeps = {
  ...certifying,
  members: deps.members,
  links: deps.links,
  terms,
  domains: catalogDomains(table),
  uses: objectUses(table),
};

export const handler = endpointGroup(
  [
    bind(routes.listTerms, ({ principal, query }) => listTerms(deps, principal, query)),
    bind(routes.createTerm, ({ principal, body: term, newId: id }) => createTerm(deps, { id, principal, term })),
    bind(routes.getTerm, ({ principal: { workspaceId }, params: { id } }) => termDetails(deps, { workspaceId, id })),
    bind(routes.updateTerm, ({ principal, params: { id }, body: change, newId }) =>
      updateTerm(deps, { id, newId, principal, change }),
    ),
    bind(routes.deleteTerm, ({ principal, params: { id }, query: { detach } }) =>
      deleteTerm(deps, { principal, id, detach }),
    ),
    bind(routes.restoreTerm, ({ principal, params: { id }, body }) => restoreTerm(deps, { principal, id, ...body })),
    bind(routes.addTermRelation, ({ principal, params }) => addRelation(deps, { principal, ...params })),
    bind(routes.removeTermRelation, ({ principal, params }) => removeRelation(deps, { principal, ...params })),
    bind(routes.listTermLinks, ({ principal, params: { id }, query }) => listLinks(deps, { principal, id }, query)),
    bind(routes.setTermLink, ({ principal, params, body: { role } }) => setLink(deps, { principal, ...params, role })),
    bind(routes.removeTermLink, ({ principal, params }) => removeLink(deps, { principal, ...params })),
    bind(routes.listTermProposals, ({ principal: { workspaceId }, params: { id }, query }) =>
      listProposals(deps, { workspaceId, id }, query),
    ),
    bind(certificationRoutes.getCertification, ({ principal, params, query }) =>
      getCertification(certifying, { principal, ...params, ...query }),
    ),
    bind(certificationRoutes.setCertification, ({ principal, params, query, body: wanted, headers }) =>
      setCertification(certifying, { principal, ...params, ...query, wanted, apiUrl: baseUrl(headers) }),
    ),
    bind(certificationRoutes.listCertificationEvents, ({ principal, params, query }) =>
      listEvents(certifying, { principal, ...params, ...query }),
    ),
    bind(assetRoutes.listCatalogAssets, ({ principal, query }) => listAssets(cataloguing, principal, query)),
    bind(assetRoutes.getCatalogAsset, ({ principal, params }) => getAsset(cataloguing, { principal, ...params })),
    bind(assetRoutes.setCatalogEntry, ({ principal, params, body: entry }) =>
      setEntry(cataloguing, { principal, ...params, entry }),
    ),
    bind(assetRoutes.listCatalogTags, ({ principal, query }) => listTags(cataloguing, principal, query)),
    bind(domainRoutes.listCatalogDomains, ({ principal: { workspaceId }, query }) =>
      listDomains(cataloguing, workspaceId, query),
    ),
    bind(domainRoutes.createCatalogDomain, ({ principal, body: domain, newId: id }) =>
      createDomain(cataloguing, { principal, id, domain }),
    ),
    bind(domainRoutes.updateCatalogDomain, ({ principal, params: { id }, body: change }) =>
      updateDomain(cataloguing, { principal, id, change }),
    ),
    bind(domainRoutes.deleteCatalogDomain, ({ principal, params: { id } }) =>
      deleteDomain(cataloguing, { principal, id }),
    ),
    bind(routes.acceptTermProposal, ({ principal, params }) => acceptProposal(deps, { principal, ...params })),
    bind(routes.rejectTermProposal, ({ principal, params, body: { reason } }) =>
      rejectProposal(deps, { principal, ...params, reason }),
    ),
    bind(files.exportTerms, ({ principal: { workspaceId }, newId: exportId, contentType: accepted }) =>
      exportTerms(fileDeps, { workspaceId, exportId, accepted }),
    ),
    bind(files.importTerms, ({ principal, body: { csv }, query: { dryRun }, newId: importId }) =>
      importTerms(fileDeps, { principal, importId, csv, dryRun }),
    ),
  ],
  showingDefinitions(group, 'term'),
);
