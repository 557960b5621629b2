import { useRef } from 'preact/hooks';
import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { contentOf, type ReportDraft, reportDifferences } from '../../data/report-draft.ts';
import type { Block, Report } from '../../data/reports.ts';
import { useTokens } from '../../data/themes.ts';
import { useEdit } from '../../data/versioned.ts';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Issue, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ReportBlocks } from './report-blocks.tsx';
import { ReportParameters } from './report-parameters.tsx';

interface ReportEditorProps {
  report: Report;
  draft: ReportDraft;
}

/** Issues that are shown where they are. */
const AT_FIELDS = /^\/(name|description)$|^\/layout\/blocks\/\d+\/|^\/parameters\/\d+\/(name|label|default)$/;

/** What a report is called, its blocks from top to bottom, and its parameters. */
export default function ReportEditor({ report: { id }, report, draft }: ReportEditorProps) {
  const tokens = useTokens(null);
  /** The order of the request, which the places of issues count by. */
  const sent = useRef<readonly Block[]>([]);
  const edit = useEdit(
    report,
    () => api.reports.get(id),
    async (ifMatch) => {
      const content = draft.content.peek();
      const { name, description, blocks, parameters } = content;
      sent.current = blocks;
      const body = { name: name.trim(), description, layout: { blocks: [...blocks] }, parameters: [...parameters] };
      const saved = await api.reports.update(id, body, { ifMatch });
      draft.saved(content, saved);
      await refreshQueries(['reports']);
      toast('The report is saved.');
      return saved;
    },
    draft.revision,
  );
  const { isChanged } = draft;
  const save = () => void (isChanged && edit.run());
  useShortcut('Ctrl S', 'Save', save);
  if (!tokens) return <Loading rows={8} />;
  const { name, description } = draft.content.value;
  const { theirs, problem } = edit;
  const issues = problem?.issues ?? [];
  const issueAt = (pointer: string) => issues.find((issue) => issue.pointer === pointer)?.message;
  const issuesOf = (blockId: string) => {
    const place = `/layout/blocks/${sent.current.findIndex((block) => block.id === blockId)}/`;
    return issues.flatMap(({ pointer, message }) =>
      pointer.startsWith(place) ? [{ member: pointer.slice(place.length), message }] : [],
    );
  };
  const nameIssue = problem?.code === 'REPORT_NAME_TAKEN' ? problem.sentence : issueAt('/name');
  const others = issues.filter(({ pointer }) => !AT_FIELDS.test(pointer));
  return (
    <div class="report-editor">
      <div class="report-bar">
        <p class="hint" role="status">
          {isChanged ? 'Your changes are not saved yet.' : 'All changes are saved.'}
        </p>
        <Button look="main" isBusy={edit.isRunning} disabled={!isChanged} onClick={save}>
          Save
        </Button>
      </div>
      {theirs ? (
        <Changed
          differences={reportDifferences(contentOf(theirs), draft.content.value)}
          keepMine={() => void edit.keepMine()}
          takeTheirs={() => {
            draft.take(theirs);
            edit.takeTheirs();
          }}
        />
      ) : (
        <Issue problem={problem && nameIssue !== problem.sentence ? { ...problem, issues: others } : undefined} />
      )}
      <div class="report-names">
        <Field
          label="Name"
          required
          maxLength={200}
          issue={nameIssue}
          value={name}
          onInput={({ currentTarget }) => draft.set({ name: currentTarget.value })}
        />
        <TextField
          label="Description"
          rows={2}
          maxLength={2000}
          issue={issueAt('/description')}
          value={description}
          onInput={({ currentTarget }) => draft.set({ description: currentTarget.value })}
        />
      </div>
      <ReportBlocks draft={draft} tokens={tokens} issuesOf={issuesOf} />
      <ReportParameters draft={draft} issueAt={issueAt} />
    </div>
  );
}
