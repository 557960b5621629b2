import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { problemOf } from '../../data/problem.ts';
import { placeOf, type Suggestion, wordsOf } from '../../data/quality.ts';
import { refreshQueries } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { settingsText } from '../../ui/settings-text.ts';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Severity } from './issues.tsx';

/** Tests that scans suggest, as a queue: each is accepted or dismissed for good. */
export function Suggestions({ canEdit }: { canEdit: boolean }) {
  const list = useList<Suggestion>(['quality', 'suggestions'], (place) =>
    api.quality.listSuggestions({ status: 'pending', ...place }),
  );
  const { items, error, hasMore } = list;
  if (!items) return error ? <Failed problem={problemOf(error)} retry={list.refresh} /> : <Loading rows={6} />;
  if (items.length === 0) {
    return (
      <Empty icon="check" title="There are no suggestions">
        {canEdit
          ? 'Scan the tables: tests that fit their values are suggested here.'
          : 'Editors scan tables to get suggestions.'}
      </Empty>
    );
  }
  return (
    <>
      <ul class="suggestions">
        {items.map((suggestion) => (
          <li key={suggestion.id}>
            <One suggestion={suggestion} canEdit={canEdit} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <Button onClick={() => list.need(0, items.length + 1)} isBusy={list.isRefreshing}>
          Show more
        </Button>
      )}
    </>
  );
}

function One({ suggestion, canEdit }: { suggestion: Suggestion; canEdit: boolean }) {
  const { id, name, testType, severity, evidence, estimatedFailures, config } = suggestion;
  const apply = useAction(async () => {
    await api.quality.applySuggestion(id);
    toast(`The test “${name}” is created.`);
    await refreshQueries(['quality']);
  });
  const dismiss = useAction(async () => {
    await api.quality.dismissSuggestion(id);
    await refreshQueries(['quality']);
  });
  const settings = settingsText(config);
  return (
    <article aria-label={name}>
      <div>
        <h2>{name}</h2>
        <p>
          {placeOf(suggestion)} · {wordsOf(testType)} <Severity name={severity} />
        </p>
        <p class="hint">{evidence.reason}</p>
        {settings && <p class="hint">{settings}</p>}
        <p class="hint">
          {estimatedFailures === 0
            ? `Every row passes (${counted(evidence.evaluatedRows, 'row')}).`
            : `${countOf(estimatedFailures)} of ${counted(evidence.evaluatedRows, 'row')} would fail, within its limit.`}
        </p>
      </div>
      {canEdit && (
        <div class="actions">
          <Button icon="check" isBusy={apply.isRunning} aria-label={`Accept ${name}`} onClick={() => void apply.run()}>
            Accept
          </Button>
          <Button isBusy={dismiss.isRunning} aria-label={`Dismiss ${name}`} onClick={() => void dismiss.run()}>
            Dismiss
          </Button>
        </div>
      )}
      <Issue problem={apply.problem ?? dismiss.problem} />
    </article>
  );
}
