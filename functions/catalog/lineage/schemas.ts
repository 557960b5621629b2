import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  EFFECTS,
  LINEAGE_TYPES,
  MAX_LINEAGE_DEPTH,
  MAX_LINEAGE_NODES,
} from '../../../shared/domains/catalog/lineage/index.ts';
import { Id, Nullable, StrictObject, StringEnum } from '../../../shared/platform/http/schemas.ts';

const ObjectType = StringEnum(LINEAGE_TYPES, { description: 'The kind of the object.' });

export const LineageParams = Type.Object({
  type: ObjectType,
  id: Type.String({ format: 'uuid', description: 'The id of the object.' }),
});

export const LineageQuery = StrictObject({
  direction: StringEnum(['up', 'down', 'both'], {
    default: 'both',
    description: '`up` for what the object is made of, `down` for what is made of it.',
  }),
  depth: Type.Integer({
    minimum: 1,
    maximum: MAX_LINEAGE_DEPTH,
    default: MAX_LINEAGE_DEPTH,
    description: 'How many steps to follow from the object.',
  }),
  column: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2200,
      description:
        'The name or the id of a column, field, measure, card or block: the lineage of this part alone, with `columns`. Columns of a data source have the name of their table before them, such as `public.orders.amount`.',
    }),
  ),
});

const Ref = Type.Object(
  { type: ObjectType, id: Id },
  { $id: 'LineageRef', description: 'An object in the list of nodes.' },
);

const ColumnEnd = Type.Unsafe<string | null>({
  ...Nullable(Type.String()),
  description:
    'The id of a column of the node. Null for the object as a whole: a metric or alert, or an object of which the column only decides which rows it has.',
});

const Column = Type.Object(
  { id: Type.String(), name: Type.String() },
  { $id: 'ObjectLineageColumn', description: 'A column, field, measure, card or block.' },
);

const objectProperties = {
  type: ObjectType,
  id: Id,
  name: Type.String(),
  path: Type.Unsafe<string | null>({
    ...Nullable(Type.String()),
    description: 'The path of its page in the browser, relative to the address of the API; null if it has none.',
  }),
  ownerId: Type.Unsafe<string | null>({ ...Nullable(Id), description: 'The user who is responsible for it.' }),
};

const Node = Type.Object(
  {
    ...objectProperties,
    distance: Type.Integer({
      description:
        'Steps from the requested object, by the shortest path: negative for what it is made of, positive for what is made of it.',
    }),
    isComplete: Type.Boolean({
      description:
        'False if the object may be made of more than is listed: it uses a name that is chosen during a run or that does not exist, or the caller may not see all of its content.',
    }),
    columns: Type.Array(Column, {
      description: 'What takes part in the lineage of a column; empty without `column`.',
    }),
  },
  { $id: 'ObjectLineageNode', description: 'An object of the workspace in a lineage.' },
);

export const ObjectLineage = Type.Object(
  {
    nodes: Type.Array(Node, { description: 'The object itself and all others, by distance.' }),
    edges: Type.Array(
      Type.Object(
        {
          from: Ref,
          to: Ref,
          columns: Type.Array(
            Type.Object(
              { from: ColumnEnd, to: ColumnEnd },
              { $id: 'ObjectLineageColumnEdge', description: 'One column is computed from the other.' },
            ),
            { description: 'Empty without `column`, and where it is not known which columns are used.' },
          ),
          via: Type.Optional(
            StringEnum(['hidden'], {
              description:
                'Rows flow through objects that the caller does not see. Only editors and admins get such edges.',
            }),
          ),
        },
        { $id: 'ObjectLineageEdge', description: 'Rows flow from one object to the other.' },
      ),
    ),
    isTruncated: Type.Boolean({
      description: `Whether nodes are missing because there are more than ${MAX_LINEAGE_NODES}.`,
    }),
  },
  { $id: 'ObjectLineage', description: 'What an object is made of, and what is made of it.' },
);
export type ObjectLineage = Static<typeof ObjectLineage>;

export const ImpactQuery = StrictObject({
  column: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2200,
      description:
        'The name or the id of a column, field, measure, card or block: what its removal would do, and not that of the object.',
    }),
  ),
});

export const AffectedObject = Type.Object(
  {
    ...objectProperties,
    effect: StringEnum(EFFECTS, {
      description:
        '`breaks`: it would fail, wholly or in `columns`. `loses_columns`: it would be without `columns`, but work. `outdated`: it would keep its rows without getting new ones. `unknown`: it reads the object, but nothing says which columns.',
    }),
    columns: Type.Array(Column, { description: 'What breaks or is lost; empty for the object as a whole.' }),
  },
  { $id: 'AffectedObject', description: 'An object that a removal would affect.' },
);

export const Impact = Type.Object(
  {
    affected: Type.Array(AffectedObject, { description: 'Objects that would break come first.' }),
    isTruncated: Type.Boolean({
      description: `Whether objects are missing because more than ${MAX_LINEAGE_NODES} would be affected.`,
    }),
  },
  { $id: 'Impact', description: 'What a removal would do to other objects.' },
);
export type Impact = Static<typeof Impact>;
