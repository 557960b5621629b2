import type { Static } from 'typebox';
import * as Type from 'typebox';
import { idParams } from '../../../../shared/platform/http/schemas.ts';

export const ExportParams = idParams('export');

export const StartWorkspaceExport = Type.Object(
  {
    datasetRows: Type.Optional(
      Type.Boolean({ description: 'Whether the archive has the rows of datasets; by default, it has.' }),
    ),
  },
  { $id: 'StartWorkspaceExport', description: 'What an export of the workspace contains.' },
);
export type StartWorkspaceExport = Static<typeof StartWorkspaceExport>;
