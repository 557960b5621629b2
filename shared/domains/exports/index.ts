/** The public API of this domain; everything else is internal. */
export type { ExportCommand, ExportDeps, ExportedFile } from './export-command.ts';
export { exportDashboard, exportLimits } from './export-dashboard.ts';
export { EXPORT_FORMATS, EXPORT_MEDIA_TYPES, type ExportFormat, MAX_EXPORTED_ROWS, ZIP_MEDIA_TYPE } from './formats.ts';
export { MAX_INLINE_BYTES } from './stored-file.ts';
