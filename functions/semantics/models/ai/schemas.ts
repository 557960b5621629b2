import type { Static } from 'typebox';
import * as Type from 'typebox';
import { endNames, relationshipProperties } from '../../../../shared/domains/semantics/models/index.ts';
import { Id, Name } from '../../../../shared/platform/http/schemas.ts';
import { Diagnostic } from '../expression-schemas.ts';

export const MeasureCopilot = Type.Object(
  {
    prompt: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'What the measure should compute, in plain language.',
    }),
    currentExpression: Type.Optional(Type.String({ maxLength: 10_000, description: 'The expression to change.' })),
    name: Type.Optional(Name),
    measureId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'The measure that the expression is for.' })),
  },
  { $id: 'MeasureCopilot', description: 'A description of the measure to write.' },
);
export type MeasureCopilot = Static<typeof MeasureCopilot>;

export const MeasureDraft = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether there is an expression, without any diagnostics.' }),
    expression: Type.Optional(Type.String({ description: 'Absent unless `ok`.' })),
    explanation: Type.String(),
    diagnostics: Type.Array(Diagnostic, { description: 'The diagnostics of the last attempt; empty if `ok`.' }),
    rounds: Type.Integer({ minimum: 0, maximum: 2, description: 'How often diagnostics went back to the model.' }),
  },
  { $id: 'MeasureDraft', description: 'An expression that the language model has written, checked like any other.' },
);
export type MeasureDraft = Static<typeof MeasureDraft>;

export const RelationshipSuggestion = Type.Object(
  {
    ...endNames,
    fromTableId: Id,
    fromFieldId: Id,
    toTableId: Id,
    toFieldId: Id,
    joinType: relationshipProperties.joinType,
    cardinality: relationshipProperties.cardinality,
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    reason: Type.String(),
  },
  { $id: 'RelationshipSuggestion', description: 'A relationship that could be created as it is.' },
);

export const RelationshipSuggestions = Type.Object(
  { items: Type.Array(RelationshipSuggestion), total: Type.Integer() },
  {
    $id: 'RelationshipSuggestions',
    description: 'Relationships that names and types make likely, the most likely first.',
  },
);
export type RelationshipSuggestions = Static<typeof RelationshipSuggestions>;
