import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { ApiError, api, type Types } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import type { Model } from '../../data/models.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { useEdit } from '../../data/versioned.ts';
import { DeleteDialog } from '../../shell/delete-record.tsx';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';

type Opened = 'rename' | 'publish' | 'delete';

/** What a person may do with the model as a whole. */
export function Actions({ model }: { model: Model }) {
  const opened = useSignal<Opened | undefined>(undefined);
  const canDelete = hasRole(useMe().data, 'editor');
  const close = () => {
    opened.value = undefined;
  };
  return (
    <>
      <Button
        look={model.hasUnpublishedChanges || model.status === 'draft' ? 'main' : 'plain'}
        icon="upload"
        onClick={() => (opened.value = 'publish')}
      >
        Publish
      </Button>
      <Menu
        label="More actions"
        isRight
        class="icon-only"
        choices={[
          [{ label: 'Name and description', icon: 'pencil', run: () => (opened.value = 'rename') }],
          canDelete ? [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => (opened.value = 'delete') }] : [],
        ]}
      >
        <Icon name="ellipsis" />
      </Menu>
      {opened.value === 'publish' && <Publish model={model} close={close} />}
      {opened.value === 'rename' && <Rename model={model} close={close} />}
      {opened.value === 'delete' && <Delete model={model} close={close} />}
    </>
  );
}

interface DialogProps {
  model: Model;
  close: () => void;
}

/** Stores the model as a version. What prevents it is listed; admins can publish all the same, with a reason. */
function Publish({ model: { id, name, latestVersion }, close }: DialogProps) {
  const isAdmin = hasRole(useMe().data, 'admin');
  const reasons = useSignal<readonly Types.ModelGateReason[]>([]);
  const reason = useSignal('');
  const isOverride = reasons.value.length > 0 && isAdmin;
  const publish = useAction(async () => {
    try {
      const why = reason.peek().trim();
      const { version } = await api.models.publish(id, isOverride ? { override: true, overrideReason: why } : {});
      await refreshQueries(['models']);
      toast(`Version ${version} of ${name} is published.`);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'PUBLISH_GATE') {
        reasons.value = (error.problem.reasons as Types.ModelGateReason[] | undefined) ?? [];
      }
      throw error;
    }
  });
  const isBlocked = reasons.value.length > 0;
  return (
    <Dialog
      title={`Publish “${name}”`}
      action={isBlocked && !isAdmin ? undefined : isBlocked ? 'Publish anyway' : 'Publish'}
      isDanger={isBlocked}
      isIncomplete={isBlocked && reason.value.trim() === ''}
      isBusy={publish.isRunning}
      problem={isBlocked ? undefined : publish.problem}
      submit={publish.run}
      close={close}
    >
      <p>
        The model as it is now becomes version {(latestVersion ?? 0) + 1}. Earlier versions stay and can be restored.
      </p>
      {isBlocked && (
        <div class="issue-box" role="alert">
          <p>{counted(reasons.value.length, 'issue')} would break what is published:</p>
          <ul>
            {reasons.value.map(({ code, message, part }) => (
              <li key={`${code} ${part.id}`}>
                <strong>{part.name}</strong>: {message}
              </li>
            ))}
          </ul>
          {!isAdmin && <p>Correct them first, or ask an admin.</p>}
        </div>
      )}
      {isOverride && (
        <Field
          label="Why publish anyway?"
          required
          maxLength={500}
          value={reason.value}
          onInput={({ currentTarget }) => {
            reason.value = currentTarget.value;
          }}
        />
      )}
    </Dialog>
  );
}

const LABELS = { name: 'Name', description: 'Description' };

function Rename({ model, close }: DialogProps) {
  const draft = useSignal({ name: model.name, description: model.description });
  const set = (change: Partial<(typeof draft)['value']>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const save = useEdit(
    model,
    async () => api.models.get(model.id),
    async (ifMatch) => {
      const saved = await api.models.update(model.id, draft.peek(), { ifMatch });
      await refreshQueries(['models']);
      return saved;
    },
  );
  const { theirs, problem } = save;
  const atField = issueOf(problem, 'name') ?? issueOf(problem, 'description');
  return (
    <Dialog
      title="Name and description"
      action={theirs ? undefined : 'Save'}
      isBusy={save.isRunning}
      problem={theirs || atField ? undefined : problem}
      submit={() => save.run()}
      close={close}
    >
      <Field
        label="Name"
        required
        maxLength={200}
        issue={issueOf(problem, 'name')}
        value={draft.value.name}
        onInput={({ currentTarget: { value } }) => set({ name: value })}
      />
      <TextField
        label="Description"
        issue={issueOf(problem, 'description')}
        value={draft.value.description}
        onInput={({ currentTarget: { value } }) => set({ description: value })}
      />
      {theirs && (
        <Changed
          differences={differencesOf(theirs, draft.value, LABELS)}
          keepMine={() => void save.keepMine().then((isSaved) => isSaved && close())}
          takeTheirs={() => {
            set({ name: theirs.name, description: theirs.description });
            save.takeTheirs();
          }}
        />
      )}
    </Dialog>
  );
}

function Delete({ model: { id, name, revision }, close }: DialogProps) {
  const { route } = useLocation();
  return (
    <DeleteDialog
      what={`“${name}”`}
      typed={name}
      remove={async () => {
        await api.models.delete(id, { ifMatch: revision });
        forget({ type: 'model', id });
        await refreshQueries(['models', 'list']);
        toast(`The model “${name}” is deleted.`);
        route(to('/models'));
      }}
      close={close}
    >
      All its measures, relationships, policies and versions are deleted. The rows of its tables stay.
    </DeleteDialog>
  );
}
