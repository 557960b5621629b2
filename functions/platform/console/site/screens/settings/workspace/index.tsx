import { api } from '../../../data/client.ts';
import { hasRole, useMe } from '../../../data/me.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Closing } from '../closing.tsx';
import { WorkspaceExport } from './export.tsx';
import { WorkspaceForm } from './form.tsx';

const KEY = ['workspace'];

/** What holds for everyone in the workspace. */
export default function Workspace() {
  const { data: workspace, error, refresh } = useQuery(KEY, () => api.workspaces.get());
  const me = useMe().data!;
  if (!workspace) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  const { id, name, revision, deletesAt } = workspace;
  return (
    <>
      <WorkspaceForm key={revision} workspace={workspace} />
      {hasRole(me, 'admin') && <WorkspaceExport />}
      {me.user.companyRole === 'company_admin' && (
        <Closing
          noun="workspace"
          name={name}
          deletesAt={deletesAt}
          hint="Everyone loses access immediately. It can be restored for a few days; then everything is erased."
          loses="This deletes the sources, datasets, models, dashboards, pipelines and everything else in the workspace."
          remove={async () => {
            await api.workspaces.delete(id, { confirm: name }, { ifMatch: revision });
            await refreshQueries(KEY);
          }}
          restore={async () => {
            await api.workspaces.restore(id);
            await refreshQueries(KEY);
          }}
        />
      )}
    </>
  );
}
