import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Digest } from '../../../shared/domains/catalog/definitions/index.ts';
import { DefinitionKey, ManagedBy, ProjectName } from '../../../shared/platform/http/managed-by.ts';
import { Id, Nullable, Page, Revision, StringEnum, Timestamp } from '../../../shared/platform/http/schemas.ts';
import { MAX_FILE_BYTES } from '../../../shared/platform/validation/yaml-file.ts';
import { KIND_NAMES } from './kinds/index.ts';
import { VariableName } from './kinds/variables.ts';

// The kind that every member can read is the first one: samples of requests have it.
const KINDS_SHOWN = ['query' as const, ...KIND_NAMES.filter((kind) => kind !== 'query')];
const Kind = StringEnum(KINDS_SHOWN, { description: 'The kind of the object.' });
const Key = { ...DefinitionKey, description: 'The key of the object, unique among those of its kind.' };

export const DefinitionParams = Type.Object({ kind: Kind, key: Key });

const ContentDigest = {
  ...Digest,
  description: 'SHA-256 of the content; comments and the order of members do not change it.',
};

const Applied = Type.Object(
  {
    digest: ContentDigest,
    fileDigest: { ...Digest, description: 'SHA-256 of the bytes of the file that was deployed.' },
    revision: Revision,
    at: Timestamp,
    by: Id,
  },
  { $id: 'AppliedDefinition', description: 'What was last deployed: the base of a three-way comparison.' },
);

const shown = {
  kind: Kind,
  key: Key,
  id: Id,
  name: Type.String(),
  revision: Revision,
  managedBy: Nullable(ManagedBy),
  applied: Nullable(Applied),
};

export const DefinitionEntry = Type.Object(
  {
    ...shown,
    digest: Nullable({
      ...ContentDigest,
      description: 'SHA-256 of the content now; null for an object that no file was deployed to.',
    }),
  },
  { $id: 'DefinitionEntry', description: 'An object that can be a file.' },
);
export type DefinitionEntry = Static<typeof DefinitionEntry>;
export const DefinitionEntryPage = Page(DefinitionEntry);

const MAX_ENTRIES = 1000;

const OfKind = Type.Optional(StringEnum(KIND_NAMES, { description: 'Only this kind.' }));

export const KindQuery = Type.Object({ kind: OfKind });

export const DefinitionListQuery = Type.Object({
  kind: OfKind,
  project: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only objects that this project manages.' }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_ENTRIES,
    default: MAX_ENTRIES,
    description: 'The maximum number of items to return.',
  }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'How many items to skip.' }),
});

export const Definition = Type.Object(
  {
    ...shown,
    digest: ContentDigest,
    yaml: Type.String({ description: 'The object as a file. The same object gives the same bytes.' }),
    base: Nullable(
      Type.String({
        description:
          'The file as it was last deployed; null if none was, if it is too large to keep, or for callers who are not editors and may not change the object.',
      }),
    ),
  },
  { $id: 'Definition', description: 'An object as a file, and the file that was last deployed to it.' },
);
export type Definition = Static<typeof Definition>;

export const DefinitionKindInfo = Type.Object(
  {
    kind: Kind,
    noun: Type.String({ description: 'The name of the kind in texts, such as `saved query`.' }),
    references: Type.Array(Type.String(), { description: 'The kinds that files of this kind refer to by their keys.' }),
    keyMembers: Type.Record(Type.String(), Type.String(), {
      description: 'The members of a file, at any depth, that contain keys of other objects, with the kind of each.',
    }),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of a file, for editors.' }),
  },
  { $id: 'DefinitionKind', description: 'What files of a kind contain.' },
);
export const DefinitionKindList = Type.Object(
  { items: Type.Array(DefinitionKindInfo) },
  { $id: 'DefinitionKindList', description: 'The kinds of files, in the order in which they refer to each other.' },
);

const SecretValue = Type.String({ minLength: 1, maxLength: 16_384 });

export const DefinitionFile = Type.Object(
  {
    yaml: Type.String({
      minLength: 1,
      maxLength: MAX_FILE_BYTES,
      description: 'The file. With `Content-Type: application/yaml`, the body is the file itself.',
    }),
    managedBy: Type.Optional(ManagedBy),
    secrets: Type.Optional(
      Type.Record(VariableName, SecretValue, {
        maxProperties: 50,
        description:
          'The values of variables that the file has in place of secrets, such as `SHOP_PASSWORD`. They are stored encrypted with the object, and never returned. An object keeps the secrets of which no value is sent.',
      }),
    ),
  },
  { $id: 'DefinitionFile', description: 'A definition as one YAML document, and where it is kept.' },
);

export const SecretsToCompare = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        kind: Kind,
        key: Key,
        secrets: Type.Record(VariableName, SecretValue, {
          maxProperties: 50,
          description: 'The values of variables that the file has in place of secrets.',
        }),
      }),
      { maxItems: 100 },
    ),
  },
  { $id: 'DefinitionSecrets', description: 'Values of the variables of files.' },
);

export const ComparedSecrets = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        kind: Kind,
        key: Key,
        changed: Type.Array(Type.String(), {
          description: 'The variables whose values are not known to be those that were last deployed.',
        }),
      }),
    ),
  },
  { $id: 'ComparedDefinitionSecrets', description: 'Which secrets have changed since they were deployed.' },
);

const flag = (description: string) => Type.Boolean({ default: false, description });

export const DeployQuery = Type.Object({
  dryRun: flag('Whether to check the file and list the changes without making them.'),
  adopt: flag('Whether the file may take over an object that no file manages, or one of another project.'),
  recreate: flag('Whether to create the object again if it has been deleted since it was deployed.'),
  partial: flag(
    'Whether to create the object without members that refer to objects which do not exist yet, such as the cards of a dashboard with a link to another one. Deploy the whole file once those objects exist. An object that exists is not changed in part.',
  ),
  overwrite: Type.Optional({
    ...Digest,
    description:
      'The digest of the current state of the object, which the file may replace although it is not the state last deployed.',
  }),
});

export const MoveBody = Type.Object(
  {
    to: { ...Key, description: 'The new key, which no other object of the kind has.' },
    managedBy: Type.Optional(ManagedBy),
  },
  { $id: 'DefinitionMoveRequest', description: 'A new key for an object, and where its file is now.' },
);

export const DefinitionMove = Type.Object(
  { kind: Kind, key: Key, id: Id },
  { $id: 'DefinitionMove', description: 'An object with its new key.' },
);
export type DefinitionMove = Static<typeof DefinitionMove>;

const MIN_LEASE_SECONDS = 10;
const MAX_LEASE_SECONDS = 300;

export const ProjectParams = Type.Object({ project: ProjectName });

const LeaseId = Type.String({ format: 'uuid', description: 'An id that the deployment has chosen for its lease.' });
export const LeaseParams = Type.Object({ project: ProjectName, leaseId: LeaseId });

export const LeaseBody = Type.Object(
  {
    id: LeaseId,
    client: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      description: 'Where the deployment runs, such as the name of the machine, for others who have to wait.',
    }),
    seconds: Type.Integer({
      minimum: MIN_LEASE_SECONDS,
      maximum: MAX_LEASE_SECONDS,
      default: 60,
      description: 'How long the lease lasts unless it is extended.',
    }),
  },
  { $id: 'DeploymentLeaseRequest', description: 'A lease to take or to extend.' },
);

export const DeploymentLeaseReply = Type.Object(
  {
    project: ProjectName,
    id: LeaseId,
    userId: Id,
    client: Type.String(),
    startedAt: Timestamp,
    expiresAt: Timestamp,
  },
  { $id: 'DeploymentLease', description: 'The right to deploy a project, which one deployment has at a time.' },
);
export type DeploymentLeaseReply = Static<typeof DeploymentLeaseReply>;

export const DeleteQuery = Type.Object({
  digest: Type.Optional({ ...Digest, description: 'Fails unless the object has this digest.' }),
  withData: flag(
    'Whether to delete also what is not in the file: the rows of a dataset, or the uploaded files of a data source.',
  ),
});

const members = (description: string) => Type.Array(Type.String(), { description });

export const DefinitionReport = Type.Object(
  {
    kind: Kind,
    key: Key,
    id: Id,
    digest: ContentDigest,
    revision: Revision,
    dryRun: Type.Boolean(),
    isAllowed: Type.Boolean({
      description: 'Whether the caller may make these changes. A dry run lists them even if not.',
    }),
    outcome: StringEnum(['created', 'changed', 'unchanged']),
    omitted: Type.Array(Type.String(), { description: 'The members without which `partial` has created the object.' }),
    changes: Type.Object(
      {
        added: members('Members that only the file has, as paths such as `params.region.default`.'),
        changed: members('Members with another value.'),
        removed: members('Members that only the object has.'),
      },
      { $id: 'DefinitionChanges', description: 'The members in which the object and the file differ.' },
    ),
  },
  { $id: 'DefinitionReport', description: 'What a deployment has changed, or would change.' },
);
export type DefinitionReport = Static<typeof DefinitionReport>;
