import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { problemOf } from '../../data/problem.ts';
import { useRecent } from '../../data/recent.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Answer } from './answer.tsx';
import { Chosen } from './chosen.tsx';
import { FieldList } from './field-list.tsx';
import { Filters } from './filters.tsx';
import { type ReadModel, useModel } from './known.ts';
import { Options } from './options.tsx';
import { type Draft, EMPTY, questionOf, readDraft, writeDraft } from './question.ts';

/** What servers on the way accept. */
const MAX_ADDRESS = 7_000;

/** Questions to one model. The address keeps the question. */
export default function ExploreModel({ params: { id = '' }, query: { q } }: ScreenProps) {
  const { data, error, refresh } = useModel(id);
  useRecent('model', id, data?.model.name, error);
  if (data) return <Asking key={id} read={data} text={q} />;
  return (
    <Page title="Explore">{error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}</Page>
  );
}

function Asking({ read, text }: { read: ReadModel; text: string | undefined }) {
  const { model, known, tables } = read;
  const { route, query } = useLocation();
  const draft = useMemo(() => readDraft(text, known), [text, known]);
  const question = useMemo(() => questionOf(draft, known), [draft, known]);
  const [isListShown, showList] = useState(true);
  const change = (next: Partial<Draft>) => {
    const { q: _former, ...others } = query;
    const address = to(`/explore/${model.id}`, { ...others, q: writeDraft({ ...draft, ...next }) });
    if (address.length > MAX_ADDRESS) {
      toast('The question is too long to be kept in its address. Use fewer values or columns.', { isFailed: true });
    } else route(address, true);
  };
  const asksNothing = draft.dimensions.length + draft.measures.length === 0;
  const copyLink = async () => {
    await navigator.clipboard.writeText(location.href);
    toast('The link is copied.');
  };
  return (
    <Page
      title={model.name}
      mark={
        <>
          {model.isCertified && <Mark kind="certified" />}
          {model.deprecation && <Mark kind="deprecated" />}
        </>
      }
      lead={model.description}
      actions={
        <>
          {!asksNothing && (
            <>
              <Button onClick={() => change(EMPTY)}>Start over</Button>
              <Button icon="link" onClick={() => void copyLink()}>
                Copy link
              </Button>
            </>
          )}
          <Link to="/explore" class="button">
            Other models
          </Link>
        </>
      }
    >
      <div class="explore">
        <div class="explore-side">
          <button
            type="button"
            class="button explore-toggle"
            aria-expanded={isListShown}
            onClick={() => showList(!isListShown)}
          >
            {isListShown ? 'Hide the fields' : 'Choose fields'}
          </button>
          {isListShown && <FieldList known={known} tables={tables} draft={draft} change={change} />}
        </div>
        <div class="explore-main">
          <Chosen known={known} draft={draft} question={question} change={change} />
          <Filters modelId={model.id} known={known} filters={draft.filters} change={(filters) => change({ filters })} />
          {asksNothing ? (
            <Empty icon="chart-column" title="Choose what to see">
              Pick a measure, such as a revenue, and what to group it by, such as a month or a region.
            </Empty>
          ) : (
            <>
              <Options draft={draft} question={question} change={change} />
              <Answer model={model} question={question} />
            </>
          )}
        </div>
      </div>
    </Page>
  );
}
