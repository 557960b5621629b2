import type { Static } from 'typebox';
import * as Type from 'typebox';
import { MAX_CHANGED_NAMES } from '../../../../shared/domains/semantics/models/index.ts';
import { Revision, StringEnum } from '../../../../shared/platform/http/schemas.ts';
import { MAX_FILE_BYTES } from '../../../../shared/platform/validation/yaml-file.ts';

export const ModelFileBody = Type.Object(
  {
    yaml: Type.String({
      minLength: 1,
      maxLength: MAX_FILE_BYTES,
      description: 'The file. With `Content-Type: application/yaml`, the body is the file itself.',
    }),
  },
  { $id: 'ModelFile', description: 'A model as one YAML document.' },
);

export const ImportFileQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Whether to list the changes without making them.' }),
});

const Names = Type.Array(Type.String(), { maxItems: MAX_CHANGED_NAMES });

export const PartChanges = Type.Object(
  {
    total: Type.Integer({ minimum: 0 }),
    added: Names,
    changed: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          members: Type.Array(Type.String(), {
            description: 'Names of the changed parts as in the file; `order` for another place in the list.',
          }),
        },
        { $id: 'ModelPartChange', description: 'A part with the members that change.' },
      ),
      { maxItems: MAX_CHANGED_NAMES },
    ),
    removed: Names,
  },
  { $id: 'ModelPartChanges', description: 'The parts that an import changes, by name; at most 1,000 of each list.' },
);

export const ModelFileReport = Type.Object(
  {
    revision: Revision,
    dryRun: Type.Boolean(),
    model: Type.Array(StringEnum(['name', 'description', 'calendar', 'parameters']), {
      description: 'Members of the model that change.',
    }),
    tables: PartChanges,
    fields: PartChanges,
    transforms: PartChanges,
    relationships: PartChanges,
    hierarchies: PartChanges,
    measures: PartChanges,
    rollups: PartChanges,
    policies: PartChanges,
  },
  {
    $id: 'ModelFileReport',
    description:
      'What the import of a file has changed, or would change. `revision` counts all changes of the model and its parts.',
  },
);
export type ModelFileReport = Static<typeof ModelFileReport>;
