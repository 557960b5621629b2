import { useAction } from '../../data/action.ts';
import type { Types } from '../../data/client.ts';
import { switchWorkspace } from '../../data/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Entry } from '../../ui/entry.tsx';

interface AskWorkspaceProps {
  workspaces: Types.Me['workspaces'];
  done(): void;
}

export function AskWorkspace({ workspaces, done }: AskWorkspaceProps) {
  const action = useAction(async (id: string) => {
    await switchWorkspace(id);
    done();
  });
  return (
    <Entry title="Choose a workspace" hint="You can switch later." problem={action.problem}>
      <ul class="choices">
        {workspaces.map(({ id, name, role }) => (
          <li key={id}>
            <Button disabled={action.isRunning} onClick={() => void action.run(id)}>
              <span>{name}</span>
              <span class="hint">{role}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Entry>
  );
}
