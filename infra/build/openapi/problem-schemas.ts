import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { GateReason as DashboardGateReason } from '../../../functions/boards/dashboards/versions/schemas.ts';
import { AffectedObject } from '../../../functions/catalog/lineage/schemas.ts';
import { Diagnostic } from '../../../functions/semantics/models/expression-schemas.ts';
import { GateReason as ModelGateReason } from '../../../functions/semantics/models/versions/schemas.ts';
import { Pipeline } from '../../../shared/domains/pipelines/store/index.ts';
import { Problem } from '../../../shared/platform/http/problem.ts';
import { Id, StringEnum } from '../../../shared/platform/http/schemas.ts';
import { REFERRER_TYPES } from '../../../shared/platform/storage/references.ts';

/** The problem document with the members that only some errors have; see `AppError.members`. */
export const PROBLEM_SCHEMAS: TSchema[] = [
  Type.Object(
    {
      ...Problem.properties,
      referencedBy: Type.Optional(
        Type.Array(
          Type.Object(
            {
              type: StringEnum([...REFERRER_TYPES, 'measure', 'policy', 'field', 'term', 'source', 'share']),
              id: Type.String(),
              name: Type.String(),
            },
            { $id: 'Referrer', description: 'A record that uses another, which therefore cannot be deleted.' },
          ),
          {
            description:
              'With `REFERENCED`: the records that use it. With `MODEL_TABLE_PROTECTED` and `FORBIDDEN` of a model: the policies and labels that the change would weaken.',
          },
        ),
      ),
      impact: Type.Optional(
        Type.String({
          description:
            'With `REFERENCED`, for objects with a lineage: the path in the API of everything that the removal would break, also through others, as far as the caller may see it.',
        }),
      ),
      affected: Type.Optional(
        Type.Array(AffectedObject, {
          description:
            'With `REFERENCED`, for objects with a lineage: what the removal would break or leave without new rows, also through others, as far as the caller may see it; at most 100. The same as in the impact.',
        }),
      ),
      total: Type.Optional(
        Type.Integer({
          description: 'With `affected`: how many objects would be affected, of those that the caller may see.',
        }),
      ),
      reasons: Type.Optional(
        Type.Array(Type.Union([ModelGateReason, DashboardGateReason]), {
          description:
            'With `PUBLISH_GATE` of a model or a dashboard: what speaks against the publication; at most 100.',
        }),
      ),
      stepId: Type.Optional(
        Type.String({
          description:
            'With `LOAD_NOT_REPEATABLE`: the step of the pipeline that has loaded. With `MODEL_TRANSFORM_INVALID`: the id of the step that does not fit.',
        }),
      ),
      diagnostics: Type.Optional(
        Type.Array(Diagnostic, { description: 'With `VALIDATION_FAILED` of an expression: its diagnostics.' }),
      ),
      activeRunIds: Type.Optional(
        Type.Array(Id, { description: 'With `RUN_OVERLAP` and `PIPELINE_HAS_ACTIVE_RUN`: the active runs.' }),
      ),
      current: Type.Optional(
        Type.Union([
          Pipeline,
          Type.Object(
            { title: Type.Unknown(), content: Type.Optional(Type.Unknown()) },
            { $id: 'StoryTextNow', description: 'With `STALE_EDIT`: what the story or the section has now.' },
          ),
          Type.String({ description: 'With `SUGGESTION_STALE`: the words as they are now.' }),
        ]),
      ),
      commentId: Type.Optional(
        Type.String({
          format: 'uuid',
          description: 'With errors of suggestions: the suggestion that the error is about.',
        }),
      ),
      currentEditSeq: Type.Optional(Type.Integer({ description: 'With `STALE_EDIT`: the current `editSeq`.' })),
      conflicts: Type.Optional(
        Type.Array(
          Type.Object({ blockId: Type.String(), base: Type.Unknown(), theirs: Type.Unknown(), mine: Type.Unknown() }),
          { description: 'With `STALE_EDIT`: the blocks that both sides have changed; null where one does not exist.' },
        ),
      ),
      revisionId: Type.Optional(
        Type.String({
          format: 'uuid',
          description:
            'With errors of a change of a section or a title: the revision that keeps the refused text for 30 days.',
        }),
      ),
      holder: Type.Optional(
        Type.Object(
          { id: Id, name: Type.String() },
          { description: 'With `SECTION_LOCKED`: the person who has the lock.' },
        ),
      ),
      expiresAt: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'With `SECTION_LOCKED`: when the lock ends unless it is renewed.',
        }),
      ),
      backfillId: Type.Optional(
        Type.String({
          format: 'uuid',
          description: 'With `BACKFILL_OVERLAP` and `BACKFILL_ACTIVE`: the active backfill.',
        }),
      ),
      from: Type.Optional(Type.String({ description: 'The first day of the active backfill.' })),
      to: Type.Optional(Type.String({ description: 'The last day of the active backfill.' })),
    },
    { $id: 'Problem', description: 'A problem document (RFC 9457).' },
  ),
];

/** The errors of SCIM (RFC 7644, section 3.12); `renderScimError` creates them. */
export const ScimError = Type.Object(
  {
    schemas: Type.Array(Type.String(), { description: 'Always `urn:ietf:params:scim:api:messages:2.0:Error`.' }),
    status: Type.String({ description: 'The status of the reply, as text.' }),
    scimType: Type.Optional(Type.String({ description: 'The keyword of the error, such as `uniqueness`.' })),
    detail: Type.String({ description: 'What went wrong in this request.' }),
  },
  { $id: 'ScimError', description: 'An error in the form of SCIM.' },
);
