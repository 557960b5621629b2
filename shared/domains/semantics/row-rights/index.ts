/** The public API of this domain; everything else is internal. */
export { classOfDatasets } from './class-of-datasets.ts';
export {
  COPY_KINDS,
  COPY_REASONS,
  type Copy,
  type CopyCheck,
  type CopyKind,
  type CopyPlace,
  type CopyReason,
  type CopyRecord,
  checkCopy,
  copyDefinition,
  copyItem,
  definedItem,
  readCopy,
  removeCopyItem,
  tablesRead,
  whyRefused,
} from './copies.ts';
export { datasetCopy } from './dataset-copy.ts';
export { requireMayDecide } from './deciding-datasets.ts';
export type { Definer } from './definers.ts';
export { deniedFields, fieldsDeniedByLabel, hasLabels } from './denied-fields.ts';
export { type CopyDeps, hiddenTables, requireAllRows } from './hidden-tables.ts';
export { lastingClass } from './lasting-class.ts';
export { type OpaqueDeps, opaqueTables } from './opaque-tables.ts';
export { mayQuoteRows, withoutQuotedRows } from './quoted-rows.ts';
export { decidedTables, decidingDatasets, isReadByPolicies } from './read-by-policies.ts';
export { type Reader, readerOf, readerOnce } from './reader.ts';
export {
  READS_NOTHING,
  type Reads,
  readsAnything,
  readsOfDataset,
  readsOfDatasetSource,
  readsOfStatement,
  type SourceReads,
} from './reads.ts';
export { restrictsAny, type ShownTables } from './restricts-any.ts';
export { type EmittedRows, emitRows, type PartnerDataset, type TableRights } from './rights.ts';
export {
  isProtectedTable,
  originsOf,
  type ProtectionDeps,
  protectedAmong,
  type ReaderRights,
  type Rights,
  type RightsDeps,
  type RightsRequest,
  rightsDeps,
  rightsOfCaller,
  tableRights,
} from './table-rights.ts';
