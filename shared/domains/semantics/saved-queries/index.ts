/** The public API of this domain; everything else is internal. */
export { boundValues, sampleValues } from './parameter-values.ts';
export {
  content,
  folder,
  Parameter,
  ParameterValue,
  SavedQuery,
  SavedQueryVersion,
} from './records.ts';
export { type SavedQueryRepository, savedQueryRepository, type VersionRepository } from './repository.ts';
export { columnsOfSaved, type RunSaved, runSaved } from './run-saved.ts';
export { SAVED_QUERY_SUBJECT } from './saved-query-subject.ts';
export { type OverSaved, SAVED_ROWS } from './statement-over.ts';
