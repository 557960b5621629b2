import { useLocation } from 'preact-iso/router';
import type { Me } from '../data/me.ts';
import { switchWorkspace } from '../data/workspace.ts';
import { to } from '../ui/address.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';

/** The workspace that the person works in, and the way to the others. */
export function WorkspaceMenu({ me: { workspaceId, workspaces } }: { me: Me }) {
  const { route } = useLocation();
  const current = workspaces.find(({ id }) => id === workspaceId);
  const name = current?.name ?? 'Workspace';
  if (workspaces.length < 2) return <span class="workspace">{name}</span>;
  const change = async (id: string) => {
    if (id === workspaceId) return;
    await switchWorkspace(id);
    route(to('/'));
  };
  return (
    <Menu
      class="workspace"
      choices={[
        workspaces.map(({ id, name: label, role }) => ({
          label,
          hint: role,
          isChosen: id === workspaceId,
          run: () => void change(id),
        })),
      ]}
    >
      <span>{name}</span>
      <Icon name="chevron-down" size={16} />
    </Menu>
  );
}
