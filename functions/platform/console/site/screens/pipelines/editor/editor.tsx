import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Pipeline } from '../../../data/pipelines.ts';
import { issueOf } from '../../../data/problem.ts';
import type { ScreenProps } from '../../../shell/screen.ts';
import { to } from '../../../ui/address.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Changed } from '../../../ui/changed.tsx';
import { Field } from '../../../ui/field.tsx';
import { counted } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { useShortcut } from '../../../ui/shortcuts.ts';
import { Issue } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import type { Editing } from './editing.ts';
import { StepsView } from './steps-view.tsx';
import { useSave } from './use-save.ts';
import { useValidation, type Validation } from './validation.ts';
import { YamlPane } from './yaml-pane.tsx';

interface EditorProps {
  editing: Editing;
  /** The pipeline as it is saved; undefined for a new one. */
  stored: Pipeline | undefined;
  query: ScreenProps['query'];
  isCopy: boolean;
}

const VIEWS = [
  { id: 'steps', label: 'Steps' },
  { id: 'yaml', label: 'YAML' },
];

export function Editor({ editing, stored, query, isCopy }: EditorProps) {
  const { route } = useLocation();
  const content = editing.content.value;
  const validation = useValidation(stored?.id, content.dag);
  const save = useSave({ editing, stored, validation });
  const page = useRef<HTMLDivElement>(null);
  useKept(editing);
  useEffect(() => {
    if (!stored) page.current?.querySelector('input')?.focus();
  }, []);
  useShortcut('Ctrl S', 'Save', () => void save.run(false));
  const path = stored ? `/pipelines/${stored.id}/edit` : '/pipelines/new';
  const address = (stepId: string | undefined) => to(path, { from: query.from, step: stepId });
  return (
    <div ref={page}>
      <Page
        title={stored ? `Edit ${stored.name}` : 'New pipeline'}
        lead={<Lead editing={editing} stored={stored} validation={validation} isCopy={isCopy} />}
        actions={
          <>
            <IconButton
              icon="rotate-ccw"
              label="Undo"
              disabled={!editing.canUndo.value}
              onClick={() => editing.undo()}
            />
            <Button isBusy={save.isRunning} onClick={() => void save.run(true)}>
              Save and run
            </Button>
            <Button look="main" isBusy={save.isRunning} onClick={() => void save.run(false)}>
              Save
            </Button>
          </>
        }
      >
        <Notices editing={editing} stored={stored} save={save} />
        <div class="editor-name">
          <Field
            label="Name"
            required
            maxLength={200}
            issue={issueOf(save.problem, 'name')}
            value={content.name}
            onInput={({ currentTarget }) => editing.change({ ...content, name: currentTarget.value })}
          />
        </div>
        <Tabs label="How the pipeline is edited" tabs={VIEWS} param="view">
          {(view) =>
            view === 'yaml' ? (
              <YamlPane editing={editing} validation={validation} />
            ) : (
              <StepsView
                editing={editing}
                pipelineId={stored?.id}
                validation={validation}
                chosen={query.step}
                address={address}
                select={(stepId) => route(address(stepId), true)}
              />
            )
          }
        </Tabs>
      </Page>
    </div>
  );
}

/** Keeps the draft when the screen or the page is left. */
function useKept(editing: Editing): void {
  useEffect(() => {
    addEventListener('pagehide', editing.leave);
    return () => {
      removeEventListener('pagehide', editing.leave);
      editing.leave();
    };
  }, [editing]);
}

interface LeadProps {
  editing: Editing;
  stored: Pipeline | undefined;
  validation: Validation;
  isCopy: boolean;
}

function Lead({ editing, stored, validation, isCopy }: LeadProps) {
  return (
    <span class="facts">
      {stored && <Link to={`/pipelines/${stored.id}`}>Back to the pipeline</Link>}
      {stored ? <span>{editing.isChanged ? 'not saved yet' : 'saved'}</span> : null}
      {!stored && (
        <span>{isCopy ? 'A copy, which starts by hand only.' : 'Issues are shown when it is first saved.'}</span>
      )}
      <Checked validation={validation} isStored={stored !== undefined} />
      <span class="phone-hint">Better on a larger screen.</span>
    </span>
  );
}

function Checked({
  validation: { isChecking, count, problem },
  isStored,
}: {
  validation: Validation;
  isStored: boolean;
}) {
  if (problem) return <span>It could not be checked: {problem.sentence}</span>;
  if (count > 0) return <Status kind="failed" label={counted(count, 'issue')} />;
  if (isChecking) return <Status kind="waiting" label="checking" />;
  return isStored ? <Status kind="succeeded" label="no issues" /> : null;
}

interface NoticesProps {
  editing: Editing;
  stored: Pipeline | undefined;
  save: ReturnType<typeof useSave>;
}

/** What has happened beside the draft: it was there before, or another person has saved the pipeline. */
function Notices({ editing, stored, save }: NoticesProps) {
  const [isSeen, see] = useState(false);
  const { meeting, problem } = save;
  return (
    <>
      {stored?.managedBy && (
        <p class="notice">
          This pipeline is deployed from <code>{stored.managedBy.path}</code> of {stored.managedBy.project}: the next
          deployment replaces what is saved here.
        </p>
      )}
      {editing.isContinued && !isSeen && editing.isChanged && (
        <div class="notice">
          <p>You have an unsaved draft.</p>
          <div class="actions">
            <Button isSmall onClick={() => see(true)}>
              Continue
            </Button>
            {stored && (
              <Button
                isSmall
                look="plain"
                onClick={() => {
                  editing.giveUp();
                  see(true);
                }}
              >
                Discard it
              </Button>
            )}
          </div>
        </div>
      )}
      {meeting && (
        <Changed
          differences={meeting.differences}
          keepMine={() => save.decide('mine')}
          takeTheirs={() => save.decide('theirs')}
        >
          Changes that only one of you has made are kept either way.
        </Changed>
      )}
      {save.hasMerged && (
        <p class="notice" role="status">
          Another person has changed other parts in the meantime. Their changes are now in your draft; save again.
        </p>
      )}
      {save.startProblem && <p class="notice">The pipeline is saved, but its run did not start.</p>}
      <Issue problem={meeting || save.hasMerged ? undefined : (problem ?? save.startProblem)} />
      {problem?.code === 'REFERENCED' && (
        <div class="notice">
          <p>These use what would be gone: {problem.referencedBy.map(({ name }) => name).join(', ') || 'see above'}.</p>
          <Button isSmall look="danger" onClick={() => void save.run(false, true)}>
            Save anyway
          </Button>
        </div>
      )}
    </>
  );
}
