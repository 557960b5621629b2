import { useSignal } from '@preact/signals';
import { api, type Types } from '../../../data/client.ts';
import { issueIn, issueOf, issueOfChoices } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { MemberPicks } from '../../../shell/member-picks.tsx';
import { RecordForm } from '../../../shell/record-form.tsx';
import { differencesOf } from '../../../ui/differences.ts';
import { CheckField, Field, SelectField, TextField } from '../../../ui/field.tsx';
import { counted } from '../../../ui/format.ts';
import { Section } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.tsx';

type Draft = Required<Types.UpdateWorkspace>;

const draftOf = (workspace: Types.Workspace): Draft => {
  const { name, timezone, deliveryDomains, certifierGroupId, comments, storyReview } = workspace;
  const { viewersMayExport, viewersMayQuery, editorsMayUpload, searchByMeaning, failureRecipients } = workspace;
  const choices = { comments: comments as Draft['comments'], storyReview: storyReview as Draft['storyReview'] };
  const switches = { viewersMayExport, viewersMayQuery, editorsMayUpload, searchByMeaning };
  return { name, timezone, deliveryDomains, certifierGroupId, failureRecipients, ...choices, ...switches };
};

const LABELS = {
  name: 'Name',
  timezone: 'Time zone',
  deliveryDomains: 'Domains',
  certifierGroupId: 'Who certifies',
  comments: 'Comments',
  storyReview: 'Review of stories',
  viewersMayExport: 'Viewers may export dashboards',
  viewersMayQuery: 'Viewers may run SQL',
  editorsMayUpload: 'Editors may upload files',
  searchByMeaning: 'Search by meaning',
  failureRecipients: {
    label: 'Emails about failed runs',
    write: (all: readonly string[]) => counted(all.length, 'person', 'people'),
  },
} as const;

const SWITCHES = {
  viewersMayExport: 'Editors and admins always may.',
  viewersMayQuery: 'On the datasets that they see. Editors and admins always may.',
  editorsMayUpload: 'Admins always may.',
  searchByMeaning:
    'Sends names and descriptions of all objects, and the words of searches, to the embedding model of this deployment. Without such a model, nothing changes.',
} as const;

const MAX_GROUPS = 100;

export function WorkspaceForm({ workspace }: { workspace: Types.Workspace }) {
  const draft = useSignal(draftOf(workspace));
  const groups = useQuery(['groups', 'choice'], () => api.groups.list({ limit: MAX_GROUPS, sort: 'name' }));
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const edit = useEdit(
    workspace,
    () => api.workspaces.get(),
    async (ifMatch) => {
      const saved = await api.workspaces.update(draft.peek(), { ifMatch });
      await Promise.all([refreshQueries(['workspace']), refreshQueries(['me'])]);
      toast('The workspace is saved.');
      return saved;
    },
  );
  const { problem } = edit;
  const { name, timezone, deliveryDomains, certifierGroupId, comments, storyReview, failureRecipients } = draft.value;
  return (
    <Section title="Workspace">
      <RecordForm
        action="Save"
        saving={edit}
        fields={['name', 'timezone', 'deliveryDomains', 'failureRecipients']}
        differences={(theirs) => differencesOf(draftOf(theirs), draft.value, LABELS)}
        take={(theirs) => {
          draft.value = draftOf(theirs);
        }}
      >
        <Field
          label={LABELS.name}
          required
          maxLength={200}
          issue={issueOf(problem, 'name')}
          value={name}
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <Field
          label={LABELS.timezone}
          list="zones"
          placeholder="UTC"
          hint="Of dashboards that have none of their own."
          issue={issueOf(problem, 'timezone')}
          value={timezone ?? ''}
          onInput={({ currentTarget }) => set({ timezone: currentTarget.value || null })}
        />
        <datalist id="zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <TextField
          label={LABELS.deliveryDomains}
          rows={3}
          hint="Where scheduled dashboards and reports may go outside the workspace, one domain on each line: email addresses in it, and webhooks and chat channels on exactly this host."
          issue={issueIn(problem, 'deliveryDomains')}
          value={deliveryDomains.join('\n')}
          onChange={({ currentTarget }) => set({ deliveryDomains: currentTarget.value.split(/\s+/).filter(Boolean) })}
        />
        <MemberPicks
          label={LABELS.failureRecipients.label}
          hint="For pipelines that do not choose their own people."
          issue={issueIn(problem, 'failureRecipients')}
          userIds={failureRecipients}
          change={(userIds) => set({ failureRecipients: [...userIds] })}
        />
        {Object.entries(SWITCHES).map(([member, hint]) => (
          <CheckField
            key={member}
            label={LABELS[member as keyof typeof SWITCHES]}
            hint={hint}
            checked={draft.value[member as keyof typeof SWITCHES]}
            onChange={({ currentTarget }) => set({ [member]: currentTarget.checked })}
          />
        ))}
        <SelectField
          label={LABELS.comments}
          value={comments}
          onChange={({ currentTarget }) => set({ comments: currentTarget.value as Draft['comments'] })}
        >
          <option value="everyone">everyone who sees an object may comment</option>
          <option value="editors">editors may comment</option>
          <option value="off">no one may comment</option>
        </SelectField>
        <SelectField
          label={LABELS.storyReview}
          value={storyReview}
          onChange={({ currentTarget }) => set({ storyReview: currentTarget.value as Draft['storyReview'] })}
        >
          <option value="off">not needed</option>
          <option value="advise">publishing without one shows a warning</option>
          <option value="require">needed to publish</option>
        </SelectField>
        <SelectField
          label={LABELS.certifierGroupId}
          hint="Certifies objects and manages the domains of the catalog, as admins do."
          issue={issueOfChoices(groups.error)}
          value={certifierGroupId ?? ''}
          onChange={({ currentTarget }) => set({ certifierGroupId: currentTarget.value || null })}
        >
          <option value="">admins only</option>
          {groups.data?.items.map(({ id, name: label }) => (
            <option key={id} value={id}>
              admins and {label}
            </option>
          ))}
        </SelectField>
      </RecordForm>
    </Section>
  );
}
