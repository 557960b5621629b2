import { useSignal } from '@preact/signals';
import { api, type Types } from '../../../data/client.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { RecordForm } from '../../../shell/record-form.tsx';
import { CheckField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';

const KEY = ['enforcement'];
const MAX_ADMINS = 100;

/** Whether everyone has to sign in through a provider, and who may not. */
export function Enforcement() {
  const { data, error, refresh } = useQuery(KEY, () => api.identityProviders.getSsoEnforcement());
  return (
    <Section title="Who must use it">
      {data ? (
        <EnforcementForm key={data.revision} enforcement={data} />
      ) : error ? (
        <Failed problem={problemOf(error)} retry={refresh} />
      ) : (
        <Loading rows={2} />
      )}
    </Section>
  );
}

function EnforcementForm({ enforcement }: { enforcement: Types.SsoEnforcement }) {
  const isOn = useSignal(enforcement.enforced);
  const ids = useSignal<readonly string[]>(enforcement.breakGlassUserIds);
  const admins = useQuery(['company', 'admins'], () =>
    api.company.listMembers({ companyRole: 'company_admin', limit: MAX_ADMINS, sort: 'name' }),
  ).data?.items;
  const edit = useEdit(
    enforcement,
    () => api.identityProviders.getSsoEnforcement(),
    async (ifMatch) => {
      const body = { enforced: isOn.peek(), breakGlassUserIds: [...ids.peek()] };
      const saved = await api.identityProviders.setSsoEnforcement(body, { ifMatch });
      await refreshQueries(KEY);
      toast(saved.enforced ? 'Everyone signs in through a provider now.' : 'Passwords work again.');
      return saved;
    },
  );
  return (
    <RecordForm action="Save" saving={edit} fields={[]} take={() => void refreshQueries(KEY)}>
      <CheckField
        label="Everyone signs in through an identity provider"
        hint="Passwords and passkeys no longer work, except for the people below."
        checked={isOn.value}
        onChange={({ currentTarget }) => {
          isOn.value = currentTarget.checked;
        }}
      />
      {isOn.value && admins && (
        <fieldset class="field-group choices">
          <legend>May still use a password, in case the provider fails</legend>
          {admins.map(({ userId, name, email }) => (
            <CheckField
              key={userId}
              label={`${name} (${email})`}
              checked={ids.value.includes(userId)}
              onChange={({ currentTarget }) => {
                ids.value = currentTarget.checked
                  ? [...ids.peek(), userId]
                  : ids.peek().filter((each) => each !== userId);
              }}
            />
          ))}
        </fieldset>
      )}
    </RecordForm>
  );
}
