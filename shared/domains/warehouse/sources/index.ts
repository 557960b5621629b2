/** The public API of this domain; everything else is internal. */
export {
  type Catalogue,
  type CatalogueTable,
  catalogueObjects,
  cataloguePointerItem,
  readCatalogue,
  readCataloguePointer,
  removeCatalogueItem,
  syncedCatalogues,
} from './catalogue.ts';
export { type DataSource, dataSourceProperties, type StoredDataSource, uploadKey } from './record.ts';
export { removeReferencesItem, sourceReferenceItems, sourceReferences } from './references.ts';
export { type DataSourceRepository, dataSourceRepository } from './repository.ts';
export { syncInput, syncJob } from './sync-job.ts';
export { secretTexts, unseal } from './unseal.ts';
