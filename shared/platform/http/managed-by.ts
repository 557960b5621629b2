import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Nullable, StrictObject } from './schemas.ts';

/** Names an object of a kind in all workspaces that a folder of files is deployed to. It is given once. */
export const DefinitionKey = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$', maxLength: 63 });

/** The name of a folder of files, unique in the workspace. */
export const ProjectName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  description: 'The name of the project: of a folder of files, unique in the workspace.',
});

/** Where the file of an object is kept. */
export const ManagedBy = StrictObject(
  {
    project: ProjectName,
    path: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      description: 'The path of the file within the folder.',
    }),
    commit: Type.Union([Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9._/-]+$' }), Type.Null()], {
      default: null,
      description: 'The version of the folder that was deployed, such as the hash of a commit.',
    }),
  },
  { $id: 'ManagedBy', description: 'The file that an object is deployed from.' },
);
export type ManagedBy = Static<typeof ManagedBy>;

/** What a reply says about the file of an object. The chain adds it where a schema has it. */
export const shownDefinition = {
  key: Type.Optional(
    Nullable(
      Type.Unsafe<string>({
        ...DefinitionKey,
        description: 'The key of the object in definitions; null if no file was deployed to it.',
      }),
    ),
  ),
  managedBy: Type.Optional(Nullable(ManagedBy)),
};
