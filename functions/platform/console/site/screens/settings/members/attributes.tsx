import { useSignal } from '@preact/signals';
import { api, type Types } from '../../../data/client.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { RecordForm } from '../../../shell/record-form.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AttributeFields } from '../attribute-fields.tsx';
import { type AttributeRow, attributesOf, rowsOf } from '../attributes.ts';

/** What decides which rows a member sees. */
export function Attributes({ userId }: { userId: string }) {
  const key = ['members', userId, 'attributes'];
  const { data, error, refresh } = useQuery(key, () => api.workspaces.getMemberAttributes(userId));
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={2} />;
  return <AttributesForm key={data.revision} record={data} />;
}

function AttributesForm({ record }: { record: Types.MemberAttributes }) {
  const { userId, attributes, mapped } = record;
  const rows = useSignal<readonly AttributeRow[]>(rowsOf(attributes));
  const edit = useEdit(
    record,
    () => api.workspaces.getMemberAttributes(userId),
    async (ifMatch) => {
      const body = { attributes: attributesOf(rows.peek(), attributes) };
      const saved = await api.workspaces.setMemberAttributes(userId, body, { ifMatch });
      await refreshQueries(['members', userId]);
      toast('The attributes are saved.');
      return saved;
    },
  );
  return (
    <RecordForm
      action="Save"
      saving={edit}
      fields={[]}
      differences={(theirs) => [
        { label: 'Attributes', theirs: textOf(theirs.attributes), mine: textOf(attributesOf(rows.value)) },
      ]}
      take={(theirs) => {
        rows.value = rowsOf(theirs.attributes);
      }}
    >
      <p class="hint">Models limit rows by these values, such as a region or a list of customers.</p>
      <AttributeFields value={rows} mapped={mapped} issues={edit.problem?.issues ?? []} />
    </RecordForm>
  );
}

const textOf = (attributes: Types.MemberAttributes['attributes']): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
    .join('; ') || 'none';
