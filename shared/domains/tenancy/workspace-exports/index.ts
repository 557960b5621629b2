/** The public API of this domain; everything else is internal. */
export { type ExportResult, exportKey } from './export-file.ts';
