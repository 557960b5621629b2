/** The public API of this domain; everything else is internal. */

export { chartContent, fixedContent, oldestOf, readingMs } from './card-contents.ts';
export { problemOf } from './card-files.ts';
export { cardPng } from './card-image.ts';
export type { ExportCommand, ExportDeps, ExportedFile, ExportOptions, WriterDeps } from './export-command.ts';
export { exportDashboard } from './export-dashboard.ts';
export { exportArticle } from './export-document.ts';
export {
  type ExportJobCommand,
  type ExportJobReport,
  type ExportJobResult,
  exportedSources,
  exportJobKeys,
  exportRights,
  type JobCaller,
} from './export-job.ts';
export { exportLimits } from './export-parts.ts';
export { exportReport } from './export-report.ts';
export { exportedPages } from './exported-cards.ts';
export {
  ARTICLE_FORMATS,
  type ArticleFormat,
  EXPORT_FORMATS,
  EXPORT_MEDIA_TYPES,
  type ExportFormat,
  MAX_EXPORTED_ROWS,
  ZIP_MEDIA_TYPE,
} from './formats.ts';
export { type PreviewImages, previewImages } from './preview-images.ts';
export { MAX_INLINE_BYTES } from './stored-file.ts';
