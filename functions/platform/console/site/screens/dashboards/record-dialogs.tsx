import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { useEdit } from '../../data/versioned.ts';
import { Affected } from '../../shell/affected.tsx';
import { to } from '../../ui/address.ts';
import { Changed } from '../../ui/changed.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';

type Record = Pick<Types.DashboardSummary, 'id' | 'name' | 'description' | 'revision'>;

interface DialogProps {
  dashboard: Record;
  close: () => void;
}

function Rename({ dashboard, close }: DialogProps) {
  const { id } = dashboard;
  const name = useSignal(dashboard.name);
  const description = useSignal(dashboard.description);
  const rename = useEdit(
    dashboard,
    () => api.dashboards.get(id),
    async (ifMatch) => {
      const body = { name: name.peek().trim(), description: description.peek().trim() };
      const saved = await api.dashboards.update(id, body, { ifMatch });
      await refreshQueries(['dashboards']);
      return saved;
    },
  );
  const { problem, theirs } = rename;
  const isTaken = problem?.code === 'DASHBOARD_NAME_TAKEN';
  return (
    <Dialog
      title="Rename the dashboard"
      action={theirs ? undefined : 'Save'}
      isBusy={rename.isRunning}
      problem={theirs || isTaken || issueOf(problem, 'name') ? undefined : problem}
      submit={() => rename.run()}
      close={close}
    >
      <Field
        label="Name"
        required
        maxLength={200}
        issue={isTaken ? problem?.sentence : issueOf(problem, 'name')}
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
      <TextField
        label="Description"
        rows={3}
        maxLength={2000}
        value={description.value}
        onInput={({ currentTarget }) => {
          description.value = currentTarget.value;
        }}
      />
      {theirs && (
        <Changed
          keepMine={() => void rename.keepMine().then((isSaved) => isSaved && close())}
          takeTheirs={() => {
            void refreshQueries(['dashboards']);
            close();
          }}
        >
          It is now called “{theirs.name}”; your name for it is “{name.value}”.
        </Changed>
      )}
    </Dialog>
  );
}

function Duplicate({ dashboard: { id, name }, close }: DialogProps) {
  const { route } = useLocation();
  const copy = useAction(async () => {
    const made = await api.dashboards.duplicate(id);
    void refreshQueries(['dashboards']);
    route(to(`/dashboards/${made.id}/edit`));
  });
  return (
    <Dialog
      title={`Duplicate ${name}`}
      action="Duplicate"
      isBusy={copy.isRunning}
      problem={copy.problem}
      submit={() => copy.run()}
      close={close}
    >
      <p>
        Pages, cards and filters are copied to a draft. Access, bookmarks, subscriptions and versions stay with the
        original.
      </p>
    </Dialog>
  );
}

/** A deleted dashboard can be restored for 30 days, which the message offers. */
function Delete({ dashboard: { id, name, revision }, close }: DialogProps) {
  const { route, path } = useLocation();
  const impact = useQuery(['dashboards', id, 'impact'], () => api.catalog.getImpact('dashboard', id));
  const remove = useAction(async () => {
    await api.dashboards.delete(id, { ifMatch: revision });
    forget({ type: 'dashboard', id });
    void refreshQueries(['dashboards']);
    if (path !== to('/dashboards')) route(to('/dashboards'));
    toast(`${name} is deleted.`, { action: { label: 'Restore', run: () => void restore(id, name) } });
  });
  const isChanged = remove.problem?.kind === 'changed';
  return (
    <Confirm
      title={`Delete “${name}”?`}
      action={isChanged ? undefined : 'Delete'}
      isBusy={remove.isRunning}
      problem={remove.problem}
      submit={() => remove.run()}
      close={close}
    >
      <p>The dashboard and its links no longer open, and its subscriptions stop. It can be restored for 30 days.</p>
      <Affected impact={impact} verb="use" nothing="Nothing else uses it." />
      {isChanged && <p>Another person has changed it in the meantime. Look at the changes before you delete it.</p>}
    </Confirm>
  );
}

async function restore(id: string, name: string): Promise<void> {
  try {
    await api.dashboards.restore(id);
    toast(`${name} is restored.`);
  } catch (error) {
    toast(error instanceof Error ? error.message : `${name} cannot be restored.`, { isFailed: true });
  }
  void refreshQueries(['dashboards']);
}

export const DIALOGS = { rename: Rename, duplicate: Duplicate, delete: Delete } as const;

export interface Opened {
  kind: keyof typeof DIALOGS;
  dashboard: Record;
}
