import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { allOf, PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useMembers } from '../../data/members.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { forget, useRecent } from '../../data/recent.ts';
import { useEdit } from '../../data/versioned.ts';
import { RecordForm } from '../../shell/record-form.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { Certify } from './certify.tsx';
import { bodyOf, draftOf, TERM_LABELS } from './term-draft.ts';
import { FIELDS, TermFields } from './term-fields.tsx';
import { TermLinks, TermRelations } from './term-relations.tsx';
import { statusText } from './term-words.ts';

type Term = Types.TermDetails;

/** One term of the glossary. */
export default function TermScreen({ params: { id = '' } }: ScreenProps) {
  const { data: term, error, refresh } = useQuery(['terms', id], () => api.terms.get(id));
  const asset = useQuery(['catalog', 'term', id], () => api.catalog.getAsset('term', id)).data;
  const canWrite = hasRole(useMe().data, 'editor');
  const isEditing = useSignal(false);
  const name = term?.name;
  useRecent('term', id, name, error);
  if (!term) return error ? <Failed isPage problem={problemOf(error)} retry={refresh} /> : <Loading isPage />;
  if (isEditing.value) return <EditTerm key={id} term={term} close={() => (isEditing.value = false)} />;
  return (
    <Page
      title={term.name}
      mark={
        <>
          {term.abbreviation && <span class="hint">{term.abbreviation}</span>}
          <span class="tag">{statusText(term.status)}</span>
          {asset?.isCertified && <Mark kind="certified" />}
        </>
      }
      actions={
        canWrite && (
          <>
            <Certify type="term" id={id} />
            <Button icon="pencil" onClick={() => (isEditing.value = true)}>
              Edit
            </Button>
            <More term={term} />
          </>
        )
      }
    >
      <p class="definition">{term.definition}</p>
      <div class="asset-parts">
        <About term={term} />
        <TermRelations key={`relations ${id}`} term={term} canWrite={canWrite} />
        <TermLinks key={`links ${id}`} term={term} canWrite={canWrite} />
      </div>
      {canWrite && <Proposals term={term} />}
    </Page>
  );
}

function About({ term }: { term: Term }) {
  const members = useMembers();
  const people = (ids: readonly string[]) => ids.map((id) => members?.get(id)?.name ?? 'a former member').join(', ');
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    ['Examples', term.examples && <span class="said">{term.examples}</span>],
    ['Synonyms', term.synonyms.join(', ')],
    ['Also found by', term.hiddenSynonyms.join(', ')],
    [
      'Tags',
      term.tags.map((tag) => (
        <Link key={tag} to="/catalog" query={{ tag }} class="tag">
          {tag}
        </Link>
      )),
    ],
    ['Owners', people(term.ownerIds)],
    ['Reviewers', people(term.reviewerIds)],
    ['Elsewhere', term.exactMatch.join(', ')],
    ['Changed', <Ago key="at" at={term.updatedAt} />],
  ];
  return (
    <Section title="About">
      <dl class="terms">
        {rows
          .filter(([, content]) => (Array.isArray(content) ? content.length > 0 : Boolean(content)))
          .map(([name, content]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{content}</dd>
            </div>
          ))}
      </dl>
    </Section>
  );
}

/** What another editor proposes, or what the person has proposed. */
function EditTerm({ term, close }: { term: Term; close: () => void }) {
  const draft = useSignal(draftOf(term));
  const save = useEdit(
    term,
    async () => api.terms.get(term.id),
    async (ifMatch) => {
      const saved = await api.terms.update(term.id, bodyOf(draft.peek(), draftOf(save.before())), { ifMatch });
      await refreshQueries(['terms']);
      if (saved.proposal?.state === 'open') toast('Your change is proposed. A reviewer accepts or rejects it.');
      return saved;
    },
  );
  return (
    <Page title={`Edit ${term.name}`}>
      <RecordForm
        action="Save"
        saving={save}
        fields={FIELDS}
        saved={close}
        differences={(saved) => differencesOf(draftOf(saved), draft.value, TERM_LABELS)}
        take={(saved) => {
          draft.value = draftOf(saved);
        }}
        others={<Button onClick={close}>Cancel</Button>}
      >
        <TermFields draft={draft} problem={save.theirs ? undefined : save.problem} />
      </RecordForm>
    </Page>
  );
}

function More({ term: { id, name, revision } }: { term: Term }) {
  const { route } = useLocation();
  const isDeleting = useSignal(false);
  const remove = useAction(async (detach: boolean) => {
    await api.terms.delete(id, { detach }, { ifMatch: revision });
    forget({ type: 'term', id });
    await refreshQueries(['terms', 'list']);
    toast(`The term “${name}” is deleted.`, {
      action: {
        label: 'Undo',
        run: () =>
          void api.terms.restore(id).then(
            () => route(to(`/catalog/terms/${id}`)),
            (error: unknown) => toast(problemOf(error).sentence, { isFailed: true }),
          ),
      },
    });
    route(to('/catalog/terms'));
  });
  const isInUse = remove.problem?.code === 'REFERENCED';
  return (
    <>
      <Menu
        label="More actions"
        isRight
        class="icon-only"
        choices={[[{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => (isDeleting.value = true) }]]}
      >
        <Icon name="ellipsis" />
      </Menu>
      {isDeleting.value && (
        <Confirm
          title={`Delete “${name}”?`}
          action={isInUse ? 'Delete with its links' : 'Delete'}
          submit={() => remove.run(isInUse)}
          isBusy={remove.isRunning}
          problem={remove.problem}
          close={() => (isDeleting.value = false)}
        >
          <p>It can be restored for 30 days. If the word is still around, deprecate the term instead.</p>
        </Confirm>
      )}
    </>
  );
}

function Proposals({ term }: { term: Term }) {
  const members = useMembers();
  const me = useMe().data;
  const { data, refresh } = useQuery(['terms', term.id, 'proposals'], () =>
    allOf(api.terms.listProposals(term.id, { limit: PAGE })),
  );
  const decide = useAction(async (proposalId: string, isAccepted: boolean) => {
    if (isAccepted) await api.terms.acceptProposal(term.id, proposalId);
    else await api.terms.rejectProposal(term.id, proposalId, {});
    refresh();
    await refreshQueries(['terms', term.id]);
  });
  const open = data?.filter(({ state }) => state === 'open') ?? [];
  if (open.length === 0) return null;
  const mayDecide = hasRole(me, 'admin') || (me !== undefined && term.reviewerIds.includes(me.user.id));
  return (
    <Section title="Proposed changes">
      <ul class="list">
        {open.map(({ id, proposedBy, changes, before, createdAt }) => (
          <li key={id} class="proposal">
            <p>
              {members?.get(proposedBy)?.name ?? 'A former member'}, <Ago at={createdAt} />
            </p>
            <dl class="terms">
              {differencesOf(changes, before, TERM_LABELS)
                .filter(({ theirs }) => theirs !== 'nothing')
                .map(({ label, theirs, mine }) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>
                      <del>{mine}</del> <ins>{theirs}</ins>
                    </dd>
                  </div>
                ))}
            </dl>
            {mayDecide && (
              <div class="actions">
                <Button isSmall look="main" isBusy={decide.isRunning} onClick={() => void decide.run(id, true)}>
                  Accept
                </Button>
                <Button isSmall isBusy={decide.isRunning} onClick={() => void decide.run(id, false)}>
                  Reject
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <Issue problem={decide.problem} />
    </Section>
  );
}
