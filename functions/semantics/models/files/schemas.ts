import type { Static } from 'typebox';
import * as Type from 'typebox';
import { RUN_STATUSES } from '../../../../shared/domains/quality/index.ts';
import { GATE_CODES, MAX_CHANGED_NAMES } from '../../../../shared/domains/semantics/models/index.ts';
import { ForceQuery, Id, Revision, StringEnum } from '../../../../shared/platform/http/schemas.ts';
import { MAX_FILE_BYTES } from '../../../../shared/platform/validation/yaml-file.ts';

export const ModelFileBody = Type.Object(
  {
    yaml: Type.String({
      minLength: 1,
      maxLength: MAX_FILE_BYTES,
      description: 'The file. With `Content-Type: application/yaml`, the body is the file itself.',
    }),
  },
  { $id: 'ModelFile', description: 'A model as one YAML document, or as several.' },
);

export const ImportFileQuery = Type.Object({
  ...ForceQuery.properties,
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

export const ValidateModel = Type.Object(
  {
    yaml: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_FILE_BYTES,
        description:
          'The file to validate in place of the model. With `Content-Type: application/yaml`, the body is the file itself.',
      }),
    ),
  },
  { $id: 'ValidateModel', description: 'What to validate: by default the model as it is.' },
);

const FileError = Type.Object(
  {
    pointer: Type.String({ description: 'The JSON pointer of the place.' }),
    code: Type.String(),
    message: Type.String(),
    position: Type.Optional(
      Type.Object(
        { line: Type.Integer(), column: Type.Integer(), offset: Type.Integer() },
        { $id: 'ModelFilePosition', description: 'The place in the text: line and column from 1, the offset from 0.' },
      ),
    ),
  },
  { $id: 'ModelFileError', description: 'Why a file cannot be imported.' },
);

const ModelIssue = Type.Object(
  {
    code: StringEnum(GATE_CODES),
    message: Type.String(),
    part: Type.Object(
      {
        type: StringEnum(['measure', 'field', 'policy', 'table', 'transform']),
        id: Id,
        name: Type.String(),
      },
      { $id: 'ModelIssuePart', description: 'The part of the model.' },
    ),
  },
  { $id: 'ModelIssue', description: 'Why questions to the model would fail.' },
);

const AmbiguousJoin = Type.Object(
  {
    from: Type.String({ description: 'The alias of a table.' }),
    to: Type.String({ description: 'The alias of a table.' }),
    paths: Type.Array(Type.Array(Type.String(), { description: 'The joined fields, step by step.' }), {
      maxItems: 2,
      description: 'Two of the equally good paths between the tables.',
    }),
  },
  {
    $id: 'ModelAmbiguousJoin',
    description: 'Two tables that questions cannot combine until a relationship of one of the paths is made inactive.',
  },
);

const Assertion = Type.Object(
  {
    testId: Id,
    name: Type.String(),
    table: Type.String({ description: 'The alias of the table in the model.' }),
    status: StringEnum([...RUN_STATUSES, 'not_run'], { description: 'The result of the latest run.' }),
  },
  { $id: 'ModelAssertion', description: 'An active data-quality test of a table of the model.' },
);

export const MAX_ISSUES = 1000;
const UnusedNames = Type.Array(Type.String(), { maxItems: MAX_CHANGED_NAMES });

export const ModelValidation = Type.Object(
  {
    ok: Type.Boolean({
      description: 'Whether there are neither `errors` nor `issues`, and no assertion has failed or could not run.',
    }),
    errors: Type.Array(FileError, { description: 'Issues of the file; the other lists are empty if there are any.' }),
    issues: Type.Array(ModelIssue, { maxItems: MAX_ISSUES }),
    ambiguous: Type.Array(AmbiguousJoin, { maxItems: 100 }),
    assertions: Type.Array(Assertion, { maxItems: MAX_ISSUES }),
    unused: Type.Object(
      { fields: UnusedNames, measures: UnusedNames },
      {
        $id: 'ModelUnusedParts',
        description:
          'Fields and measures that neither a card, metric or other object uses, nor a used part of the model; at most 1,000 of each.',
      },
    ),
  },
  { $id: 'ModelValidation', description: 'What a validation has found.' },
);
export type ModelValidation = Static<typeof ModelValidation>;
