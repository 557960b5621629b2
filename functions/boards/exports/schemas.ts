import type { Static } from 'typebox';
import * as Type from 'typebox';
import { readingProperties } from '../../../shared/domains/boards/cards/index.ts';
import { PartId } from '../../../shared/domains/boards/dashboards/index.ts';
import { ARTICLE_FORMATS, EXPORT_FORMATS } from '../../../shared/domains/boards/exports/index.ts';
import { readingReport } from '../../../shared/domains/boards/reports/index.ts';
import { VIEWS } from '../../../shared/domains/stories/stories/index.ts';
import { DownloadLink, idParams, Nullable, StringEnum } from '../../../shared/platform/http/schemas.ts';
import { Job } from '../../../shared/platform/jobs/record.ts';

export const DashboardParams = idParams('dashboard');

export const ReportParams = idParams('report');

export const StoryParams = idParams('story');

export const ExportJobParams = Type.Object({
  ...DashboardParams.properties,
  jobId: idParams('job').properties.id,
});

const theme = Type.Optional(
  StringEnum(['light', 'dark'], {
    description:
      'The color scheme of `pdf`, `pptx`, `png` and `svg`; by default, as the theme of the dashboard, or of the workspace, is.',
  }),
);

/** The gateway waits 29 seconds. */
const MAX_TIMEOUT_MS = 26_000;

const timeoutMs = Type.Integer({
  minimum: 1,
  maximum: MAX_TIMEOUT_MS,
  default: MAX_TIMEOUT_MS,
  description: 'How long the export may take, in milliseconds; then it replies `EXPORT_TOO_SLOW`.',
});

export const ExportDashboard = Type.Object(
  {
    format: StringEnum(EXPORT_FORMATS, {
      description:
        '`csv`: a file for one card, a ZIP archive for several; `xlsx`: a workbook with a sheet for each card; `pdf`: pages that look like the dashboard; `pptx`: a slide for each card; `docx`: a text document; `png` and `svg`: a picture of one card, a ZIP archive for several.',
    }),
    pageId: Type.Optional(
      Type.Unsafe<string>({
        ...PartId,
        description: 'Exports only the cards of this page. By default, exports all pages that are not hidden.',
      }),
    ),
    cardIds: Type.Optional(
      Type.Array(PartId, { minItems: 1, maxItems: 200, uniqueItems: true, description: 'Exports only these cards.' }),
    ),
    filters: readingProperties.filters,
    timezone: readingProperties.timezone,
    theme,
    timeoutMs,
  },
  { $id: 'ExportDashboard', description: 'What to write to the file, and in which format.' },
);
export type ExportDashboard = Static<typeof ExportDashboard>;

const { timeoutMs: _limitOfRequests, ...exportProperties } = ExportDashboard.properties;

export const StartDashboardExport = Type.Object(exportProperties, {
  $id: 'StartDashboardExport',
  description: 'What a job writes to the file, and in which format.',
});
export type StartDashboardExport = Static<typeof StartDashboardExport>;

export const DashboardExportJob = Type.Object(
  {
    ...Job.properties,
    file: Nullable(DownloadLink),
  },
  {
    $id: 'DashboardExportJob',
    description:
      'An export that runs as a job. Once it has succeeded, `file` is a link that works for 15 minutes, a new one with each reply, and `result` has `bytes`, `truncated`, `failedCards` and `warnings`.',
  },
);
export type DashboardExportJob = Static<typeof DashboardExportJob>;

export const ExportReport = Type.Object(
  {
    format: StringEnum(EXPORT_FORMATS, {
      description:
        '`csv`: a file for one block, a ZIP archive for several; `xlsx`: a workbook with a sheet for each block with rows; `pdf`: pages with the blocks below each other; `pptx`: a slide for each block; `docx`: a text document; `png` and `svg`: a picture of one block, a ZIP archive for several.',
    }),
    blockIds: Type.Optional(
      Type.Array(PartId, { minItems: 1, maxItems: 100, uniqueItems: true, description: 'Exports only these blocks.' }),
    ),
    ...readingReport,
    timezone: readingProperties.timezone,
    theme,
    timeoutMs,
  },
  { $id: 'ExportReport', description: 'Which part of the report to write to the file, and in which format.' },
);
export type ExportReport = Static<typeof ExportReport>;

export const ExportStory = Type.Object(
  {
    format: StringEnum(ARTICLE_FORMATS, {
      description: '`pdf`: pages; `docx`: a text document.',
    }),
    view: Type.Unsafe<(typeof VIEWS)[number]>({
      ...StringEnum(VIEWS, {
        description:
          'The state of the story. Callers who cannot see the draft always get the published version; a story that is not published has only a draft.',
      }),
      default: 'published',
    }),
    timezone: readingProperties.timezone,
    theme,
    timeoutMs,
  },
  { $id: 'ExportStory', description: 'Which state of the story to write to the file, and in which format.' },
);
export type ExportStory = Static<typeof ExportStory>;
