/** The public API of this domain; everything else is internal. */
export { closeCompany, deleteCompany, deleteWorkspace, restoreCompany, restoreWorkspace } from './deletion.ts';
export { DELETION_PARTITION, type Deletion, deletionKey, readDeletion, workspaceDeletions } from './record.ts';
