import type { Static } from 'typebox';
import * as Type from 'typebox';
import { WORKSPACE_SWITCHES } from '../../../platform/auth/permissions.ts';
import { Id, Name, Nullable, Revision, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import type { CompanyRecord, WorkspaceRecord } from './records.ts';

const DeletesAt = Nullable(
  Type.String({
    format: 'date-time',
    description: 'When everything is erased; null unless it is deleted. Until then it can be restored.',
  }),
);

const changes = { createdAt: Timestamp, updatedAt: Timestamp, revision: Revision, deletesAt: DeletesAt };

export const DeliveryDomains = Type.Array(
  Type.String({
    maxLength: 253,
    pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
    description: 'A domain name, such as `example.com`.',
  }),
  {
    maxItems: 50,
    uniqueItems: true,
    description:
      'Where scheduled dashboards and reports may go outside the workspace: to email addresses in these domains, and to webhooks and chat channels on hosts with exactly these names.',
  },
);

export const WorkspaceTimezone = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA name of the time zone of dashboards that have none of their own; null for UTC.',
  }),
);

export const ViewersMayExport = Type.Boolean({
  description: 'Whether viewers may export dashboards; editors and admins always may.',
});

export const ViewersMayQuery = Type.Boolean({
  description: 'Whether viewers may run SQL statements (`/api/query`); editors and admins always may.',
});

export const EditorsMayUpload = Type.Boolean({
  description: 'Whether editors may create `file` sources and upload files to them; admins always may.',
});

export const Comments = StringEnum(['everyone', 'editors', 'off'], {
  description:
    'Who may comment: everyone who sees an object, its editors, or no one. Comments that exist can still be read.',
});

export const StoryReview = StringEnum(['off', 'advise', 'require'], {
  description:
    'Whether a story needs a review that all of its reviewers have approved: `require` prevents publishing without one, `advise` adds a warning.',
});

export const CertifierGroup = Type.Unsafe<string | null>({
  ...Nullable(Id),
  description:
    'The group whose members certify objects and manage the domains of the catalog, as admins do. A group that was deleted stands for none.',
});

export const WorkspaceFailureRecipients = Type.Array(Id, {
  maxItems: 50,
  uniqueItems: true,
  description:
    'The ids of members who get an email about each failed run of a pipeline whose own `failureRecipients` are empty.',
});

export const SearchByMeaning = Type.Boolean({
  description:
    'Whether searches also find objects by their meaning. Names and descriptions of all objects, and the words of searches, are then sent to the embedding model of the deployment; without such a model, nothing changes.',
});

export const Workspace = Type.Object(
  {
    id: Id,
    companyId: Id,
    name: Name,
    deliveryDomains: DeliveryDomains,
    timezone: WorkspaceTimezone,
    viewersMayExport: ViewersMayExport,
    viewersMayQuery: ViewersMayQuery,
    editorsMayUpload: EditorsMayUpload,
    comments: Comments,
    storyReview: StoryReview,
    certifierGroupId: CertifierGroup,
    searchByMeaning: SearchByMeaning,
    failureRecipients: WorkspaceFailureRecipients,
    ...changes,
  },
  {
    $id: 'Workspace',
    description: 'Contains data sources, datasets, pipelines and everything else, isolated from other workspaces.',
  },
);
export type Workspace = Static<typeof Workspace>;

export const Company = Type.Object(
  { id: Id, name: Name, ...changes },
  { $id: 'Company', description: 'A customer: owns workspaces, people and licences.' },
);
export type Company = Static<typeof Company>;

/** Records as clients see them. */
export const showWorkspace = (workspace: WorkspaceRecord): Workspace => {
  const { id, companyId, name, deliveryDomains = [], viewersMayExport = true } = workspace;
  const { createdAt, updatedAt, revision, deletesAt = null, timezone = null } = workspace;
  const { comments = 'everyone', storyReview = 'off', certifierGroupId = null, searchByMeaning = false } = workspace;
  const { viewersMayQuery, editorsMayUpload } = { ...WORKSPACE_SWITCHES, ...workspace };
  const settings = {
    deliveryDomains: [...deliveryDomains],
    timezone,
    viewersMayExport,
    viewersMayQuery,
    editorsMayUpload,
    comments,
    storyReview,
    certifierGroupId,
    searchByMeaning,
    failureRecipients: [...(workspace.failureMail?.userIds ?? [])],
  };
  return { id, companyId, name, ...settings, createdAt, updatedAt, revision, deletesAt };
};

export const showCompany = (company: CompanyRecord): Company => {
  const { id, name, createdAt, updatedAt, revision, deletesAt = null } = company;
  return { id, name, createdAt, updatedAt, revision, deletesAt };
};
