import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  HierarchyLevel as CompleteLevel,
  endNames,
  PolicySubject,
  relationshipProperties,
} from '../../../../shared/domains/semantics/models/index.ts';
import { Id, Name, Nullable, Page, StrictObject } from '../../../../shared/platform/http/schemas.ts';
import { Diagnostic } from '../expression-schemas.ts';
import { optional, partProperties, stampProperties } from '../schemas.ts';

const modelId = partProperties.modelId;
const pathId = (description: string) => Type.String({ format: 'uuid', description });
const pathModel = { modelId: Type.String({ ...modelId, description: 'The id of the model.' }) };
export const RelationshipParams = Type.Object({ ...pathModel, relId: pathId('The id of the relationship.') });
export const HierarchyParams = Type.Object({ ...pathModel, hierId: pathId('The id of the hierarchy.') });
export const PolicyParams = Type.Object({ ...pathModel, policyId: pathId('The id of the policy.') });

// Relationships

export const Relationship = Type.Object(
  { ...partProperties, ...relationshipProperties, ...stampProperties },
  { $id: 'ModelRelationship', description: 'How rows of two tables belong together: by equal values of two fields.' },
);
export type Relationship = Static<typeof Relationship>;
export const RelationshipPage = Page(Relationship);

const { joinType, cardinality, isActive, aiDetected, ...ends } = relationshipProperties;

export const CreateRelationship = Type.Object(
  {
    ...ends,
    fromTable: Type.Optional(endNames.fromTable),
    fromField: Type.Optional(endNames.fromField),
    toTable: Type.Optional(endNames.toTable),
    toField: Type.Optional(endNames.toField),
    joinType: Type.Unsafe<Relationship['joinType']>({ ...joinType, default: 'left' }),
    cardinality: Type.Unsafe<Relationship['cardinality']>({ ...cardinality, default: '1:N' }),
    isActive: Type.Unsafe<boolean>({ ...isActive, default: true }),
  },
  {
    $id: 'CreateModelRelationship',
    description:
      'A relationship. Its fields must have comparable types. A suggestion can be sent as it is; names that are sent must match the ids.',
  },
);
export type CreateRelationship = Static<typeof CreateRelationship>;

export const UpdateRelationship = Type.Object(optional({ ...ends, joinType, cardinality, isActive, aiDetected }), {
  $id: 'UpdateModelRelationship',
  description: 'Fields to change; omitted fields keep their values.',
});
export type UpdateRelationship = Static<typeof UpdateRelationship>;

// Hierarchies

export const Hierarchy = Type.Object(
  {
    ...partProperties,
    name: Name,
    tableId: Nullable(Id),
    levels: Type.Array(Type.Object(CompleteLevel.properties)),
    ...stampProperties,
  },
  { $id: 'ModelHierarchy', description: 'Fields to drill down by, from the coarsest to the finest.' },
);
export type Hierarchy = Static<typeof Hierarchy>;
export const HierarchyPage = Page(Hierarchy);

const levels = Type.Array(
  StrictObject(
    {
      fieldId: Id,
      label: Type.Optional(
        Type.Unsafe<string>({ ...CompleteLevel.properties.label, description: 'The name of the field when absent.' }),
      ),
    },
    { $id: 'ModelHierarchyLevel', description: 'A field, and how to name the level.' },
  ),
  { minItems: 2, maxItems: 10 },
);
const tableId = Nullable(
  Type.Unsafe<string>({ ...Id, description: 'The table of all levels; null if they are of several tables.' }),
);

export const CreateHierarchy = Type.Object(
  { name: Name, tableId: Type.Optional(tableId), levels },
  { $id: 'CreateModelHierarchy', description: 'A hierarchy of two to ten levels.' },
);
export type CreateHierarchy = Static<typeof CreateHierarchy>;

export const UpdateHierarchy = Type.Object(optional({ name: Name, tableId, levels }), {
  $id: 'UpdateModelHierarchy',
  description: 'Fields to change; omitted fields keep their values. Levels are replaced as a whole.',
});
export type UpdateHierarchy = Static<typeof UpdateHierarchy>;

// Row-level security

const filterExpression = Type.String({
  minLength: 1,
  maxLength: 65_536,
  description:
    'A condition over the fields of the table, of tables in which each of its rows has at most one match, and the user, such as `[orders.region] IN user.attr("region")`. Rows are visible where it is true.',
});
const appliesTo = Type.Array(PolicySubject, { minItems: 1, maxItems: 100 });

export const Policy = Type.Object(
  {
    ...partProperties,
    name: Name,
    tableId: Id,
    filterExpression,
    appliesTo,
    stale: Type.Boolean({ description: 'Whether the expression has errors; the policy then shows no rows.' }),
    diagnostics: Type.Array(Diagnostic),
    ...stampProperties,
  },
  { $id: 'RlsPolicy', description: 'A row-level security policy: which rows of a table some callers may see.' },
);
export type Policy = Static<typeof Policy>;
export const PolicyPage = Page(Policy);

export const CreatePolicy = Type.Object(
  { name: Name, tableId: Id, filterExpression, appliesTo },
  { $id: 'CreateRlsPolicy', description: 'A row-level security policy.' },
);
export type CreatePolicy = Static<typeof CreatePolicy>;

export const UpdatePolicy = Type.Object(optional({ name: Name, tableId: Id, filterExpression, appliesTo }), {
  $id: 'UpdateRlsPolicy',
  description: 'Fields to change; omitted fields keep their values. Another table requires the expression too.',
});
export type UpdatePolicy = Static<typeof UpdatePolicy>;
