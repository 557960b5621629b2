import type { Static } from 'typebox';
import * as Type from 'typebox';
import { FILE_MEMBERS, MAX_PARTS } from '../../../../shared/domains/boards/dashboards/index.ts';
import { Revision, StringEnum } from '../../../../shared/platform/http/schemas.ts';
import { MAX_FILE_BYTES } from '../../../../shared/platform/validation/yaml-file.ts';

export const DashboardFileBody = Type.Object(
  {
    yaml: Type.String({
      minLength: 1,
      maxLength: MAX_FILE_BYTES,
      description: 'The file. With `Content-Type: application/yaml`, the body is the file itself.',
    }),
  },
  { $id: 'DashboardFile', description: 'A dashboard as one YAML document.' },
);

export const ImportFileQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Whether to list the changes without making them.' }),
});

const ids = Type.Array(Type.String());
const PartChanges = Type.Object(
  {
    total: Type.Integer({ minimum: 0, maximum: 2 * MAX_PARTS.cards }),
    added: ids,
    changed: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          members: Type.Array(Type.String(), {
            description: 'Named as in the file; `order` if the place in the list changes.',
          }),
        },
        { $id: 'DashboardPartChange', description: 'A part with the members that change.' },
      ),
    ),
    removed: ids,
  },
  { $id: 'DashboardPartChanges', description: 'The parts that an import changes, by id.' },
);

export const DashboardFileReport = Type.Object(
  {
    revision: Revision,
    dryRun: Type.Boolean(),
    dashboard: Type.Array(StringEnum(FILE_MEMBERS), { description: 'Members of the dashboard that change.' }),
    pages: PartChanges,
    cards: PartChanges,
    filters: PartChanges,
  },
  {
    $id: 'DashboardFileReport',
    description:
      'What the import of a file has changed, or would change. `revision` counts all changes of the dashboard and its parts.',
  },
);
export type DashboardFileReport = Static<typeof DashboardFileReport>;
