import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { type Issue, kindOfIssue, placeOf, useIssue, useNamedDataset, wordsOf } from '../../data/quality.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { useRecent } from '../../data/recent.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { timesOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { dayText } from '../../ui/moment.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Failed, Loading, Issue as Problem } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { Severity } from './issues.tsx';

const DAY_MS = 24 * 60 * 60 * 1000;

/** One issue: what is wrong, where, and what people decide about it. */
export default function IssueScreen({ params: { id = '' } }: ScreenProps) {
  const { data: issue, error, refresh } = useIssue(id);
  const title = issue?.title;
  useRecent('quality_issue', id, title, error);
  const canEdit = hasRole(useMe().data, 'editor');
  if (!issue) {
    return (
      <Page title="Issue">{error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />}</Page>
    );
  }
  const { status, severity, issueType, message, occurrences, firstSeenAt, lastSeenAt, ignoreUntil } = issue;
  return (
    <Page
      title={issue.title}
      mark={
        <>
          <Status kind={kindOfIssue(status)} label={wordsOf(status)} />
          <Severity name={severity} />
        </>
      }
      lead={
        <>
          {wordsOf(issueType)} in <Where issue={issue} /> · found {timesOf(occurrences)},{' '}
          {occurrences > 1 && (
            <>
              first <Ago at={firstSeenAt} />, last{' '}
            </>
          )}
          <Ago at={lastSeenAt} />
          {ignoreUntil && ` · ignored until ${dayText(ignoreUntil)}`}
        </>
      }
      actions={canEdit && <Decide issue={issue} />}
    >
      <Section title="What was found">
        <p>{message ?? 'The last finding has no details.'}</p>
        {issue.testId && (
          <p>
            <Link to={`/quality/tests/${issue.testId}`}>The test and its results</Link>
          </p>
        )}
      </Section>
      <Section title="Decisions">
        <History issue={issue} />
      </Section>
    </Page>
  );
}

function Where({ issue }: { issue: Issue }) {
  const isDataset = issue.sourceId === 'datasets';
  const dataset = useNamedDataset(isDataset ? issue.tableName : '').data;
  return dataset ? <ObjectLink type="dataset" id={dataset.id} name={placeOf(issue)} /> : <span>{placeOf(issue)}</span>;
}

type Change = Pick<Types.SetDataQualityIssueStatus, 'status' | 'ignoreUntil'>;

/** What can be decided from each status; the dialog asks for a note. */
const CHOICES: readonly { label: string; from: readonly string[]; status: Change['status'] }[] = [
  { label: 'Work on it', from: ['open', 'ignored'], status: 'in_progress' },
  { label: 'Ignore', from: ['open', 'in_progress'], status: 'ignored' },
  { label: 'Mark as fixed', from: ['open', 'in_progress', 'ignored'], status: 'fixed' },
  { label: 'Reopen', from: ['ignored', 'fixed', 'in_progress'], status: 'open' },
];

function Decide({ issue }: { issue: Issue }) {
  const [chosen, choose] = useState<(typeof CHOICES)[number] | undefined>(undefined);
  return (
    <>
      {CHOICES.filter(({ from }) => from.includes(issue.status)).map((choice) => (
        <Button key={choice.status} onClick={() => choose(choice)}>
          {choice.label}
        </Button>
      ))}
      {chosen && <Decision key={chosen.status} issue={issue} choice={chosen} close={() => choose(undefined)} />}
    </>
  );
}

interface DecisionProps {
  issue: Issue;
  choice: (typeof CHOICES)[number];
  close: () => void;
}

function Decision({ issue: { id, revision }, choice: { label, status }, close }: DecisionProps) {
  const note = useSignal('');
  const days = useSignal('7');
  const me = useMe().data;
  const decide = useAction(async () => {
    await api.quality.setIssueStatus(
      id,
      {
        status,
        resolutionNote: note.peek().trim() || null,
        ...(status === 'in_progress' && me && { assigneeId: me.user.id }),
        ...(status === 'ignored' && {
          ignoreUntil: days.peek() === '' ? null : new Date(Date.now() + Number(days.peek()) * DAY_MS).toISOString(),
        }),
      },
      { ifMatch: revision },
    );
    await refreshQueries(['quality']);
  });
  const isChanged = decide.problem?.kind === 'changed';
  return (
    <Dialog
      title={label}
      action={isChanged ? undefined : label}
      submit={() => decide.run()}
      isBusy={decide.isRunning}
      problem={isChanged ? undefined : decide.problem}
      close={() => {
        close();
        if (isChanged) void refreshQueries(['quality']);
      }}
    >
      {status === 'ignored' && (
        <SelectField
          label="For"
          value={days.value}
          onChange={({ currentTarget }) => {
            days.value = currentTarget.value;
          }}
        >
          <option value="1">a day</option>
          <option value="7">a week</option>
          <option value="30">30 days</option>
          <option value="">ever</option>
        </SelectField>
      )}
      <TextField
        label="Note"
        hint="For people who look at this later."
        maxLength={2000}
        value={note.value}
        onInput={({ currentTarget }) => {
          note.value = currentTarget.value;
        }}
      />
      {isChanged && (
        <Problem
          problem={{
            sentence: 'Another person or a run has changed the issue in the meantime. Close this, and look again.',
          }}
        />
      )}
    </Dialog>
  );
}

const MAX_NAMES = 200;

function History({ issue: { history, assigneeId, firstSeenAt } }: { issue: Issue }) {
  const names = useQuery(['quality', 'names'], async () => {
    const { items } = await api.workspaces.listMembers({ limit: MAX_NAMES });
    return new Map(items.map(({ userId, name, email }) => [userId, name || email]));
  }).data;
  // That it was found is no decision; the head of the screen says when.
  const decisions = history.filter(({ by, at }) => by !== null || at !== firstSeenAt);
  const nameOf = (id: string | null) => (id === null ? 'a run' : (names?.get(id) ?? 'a member'));
  return (
    <>
      {assigneeId && <p>{nameOf(assigneeId)} works on it.</p>}
      {decisions.length === 0 ? (
        <p class="hint">There are no decisions yet.</p>
      ) : (
        <ol class="decisions" reversed>
          {decisions.toReversed().map(({ status, at, by, note }) => (
            <li key={`${at} ${status}`}>
              <Status kind={kindOfIssue(status)} label={wordsOf(status)} /> by {nameOf(by)}, <Ago at={at} />
              {note && note !== 'auto' && <p class="note">{note}</p>}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
