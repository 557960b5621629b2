import type { Me } from '../../../data/me.ts';
import { Section } from '../../../ui/page.tsx';

/** What decides which rows and objects the person sees. */
export function Groups({ me: { groups, role, attributes, workspaces, workspaceId } }: { me: Me }) {
  const workspace = workspaces.find(({ id }) => id === workspaceId)?.name;
  const values = Object.entries(attributes);
  return (
    <Section title="Your rights">
      <dl class="rights">
        <dt>Role</dt>
        <dd>
          {role} in {workspace}
        </dd>
        <dt>Groups</dt>
        <dd>{groups.length === 0 ? 'none' : groups.map(({ name }) => name).join(', ')}</dd>
        {values.length > 0 && (
          <>
            <dt>Attributes</dt>
            <dd>
              {values.map(([name, value]) => (
                <div key={name}>
                  <code>{name}</code> {[value].flat().join(', ')}
                </div>
              ))}
            </dd>
          </>
        )}
      </dl>
      <p class="hint">Admins set them. Attributes decide which rows of models you see.</p>
    </Section>
  );
}
