/** The public API of this domain; everything else is internal. */
export { deniedFields } from './denied-fields.ts';
export { type Reader, readerOf, readerOnce } from './reader.ts';
export { restrictsAny, type ShownTables } from './restricts-any.ts';
export { type EmittedRows, emitRows, type TableRights } from './rights.ts';
export {
  isProtectedTable,
  type ProtectionDeps,
  protectedAmong,
  type Rights,
  type RightsDeps,
  type RightsRequest,
  rightsDeps,
  tableRights,
} from './table-rights.ts';
