import { api } from '../../../data/client.ts';
import { hasRole, useMe } from '../../../data/me.ts';
import { problemOf } from '../../../data/problem.ts';
import { useQuery } from '../../../data/query.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { DeleteWorkspace } from './delete.tsx';
import { WorkspaceExport } from './export.tsx';
import { WorkspaceForm } from './form.tsx';

/** What holds for everyone in the workspace. */
export default function Workspace() {
  const { data: workspace, error, refresh } = useQuery(['workspace'], () => api.workspaces.get());
  const me = useMe().data!;
  if (!workspace) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  return (
    <>
      <WorkspaceForm key={workspace.revision} workspace={workspace} />
      {hasRole(me, 'admin') && <WorkspaceExport />}
      {me.user.companyRole === 'company_admin' && <DeleteWorkspace workspace={workspace} />}
    </>
  );
}
