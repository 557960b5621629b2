import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { allOf, PAGE } from '../../data/all.ts';
import { ASSET_TYPES } from '../../data/catalog.ts';
import { api, type Types } from '../../data/client.ts';
import { issueOfChoices, problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { objectType, typeOf } from '../../shell/types.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/page.tsx';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { RELATIONS, type Relation, ROLES, statusText } from './term-words.ts';

interface PartProps {
  term: Types.TermDetails;
  canWrite: boolean;
}

const MAX_OFFERED = 12;

/** Terms that this one has to do with. */
export function TermRelations({ term, canWrite }: PartProps) {
  const kinds = (Object.keys(RELATIONS) as Relation[]).filter((kind) => term.relations[kind].length > 0);
  const remove = useAction(async (kind: Relation, id: string) => {
    await api.terms.removeRelation(term.id, kind, id);
    await refreshQueries(['terms']);
  });
  return (
    <Section title="Related terms">
      {kinds.length === 0 && <p class="hint">No term is related to it.</p>}
      {kinds.map((kind) => (
        <div key={kind}>
          <h3>{RELATIONS[kind]}</h3>
          <ul class="list used">
            {term.relations[kind].map(({ id, name, status }) => (
              <li key={id}>
                <Link to={`/catalog/terms/${id}`}>{name}</Link>
                {status !== 'approved' && <span class="hint">{statusText(status)}</span>}
                {canWrite && (
                  <Button
                    isSmall
                    look="plain"
                    icon="x"
                    aria-label={`Remove the relation to ${name}`}
                    isBusy={remove.isRunning}
                    onClick={() => void remove.run(kind, id)}
                  >
                    Remove
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Issue problem={remove.problem} />
      {canWrite && <AddRelation term={term} />}
    </Section>
  );
}

function AddRelation({ term }: { term: Types.TermDetails }) {
  const kind = useSignal<Relation>('broader');
  const text = useSignal('');
  const chosen = useSignal('');
  const words = text.value.trim();
  const found = useQuery(
    ['terms', 'choices', words],
    async () => (await api.terms.list({ limit: MAX_OFFERED, sort: 'name', ...(words && { search: words }) })).items,
  );
  const add = useAction(async () => {
    await api.terms.addRelation(term.id, kind.peek(), chosen.peek());
    text.value = '';
    chosen.value = '';
    await refreshQueries(['terms']);
  });
  return (
    <form
      class="adding"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.peek()) void add.run();
      }}
    >
      <SelectField
        label="Relation"
        value={kind.value}
        onChange={({ currentTarget: { value } }) => {
          kind.value = value as Relation;
        }}
      >
        {Object.entries(RELATIONS).map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      <Combobox
        label="Other term"
        issue={issueOfChoices(found.error)}
        text={text.value}
        options={(found.data ?? []).filter(({ id }) => id !== term.id).map(({ id, name }) => ({ id, label: name }))}
        type={(typed) => {
          text.value = typed;
          chosen.value = '';
        }}
        choose={({ id, label }) => {
          text.value = label;
          chosen.value = id;
        }}
      />
      <Button type="submit" disabled={chosen.value === ''} isBusy={add.isRunning}>
        Relate
      </Button>
      <Issue problem={add.problem} />
    </form>
  );
}

type LinkType = Parameters<typeof api.terms.setLink>[1];
const LINKED = ASSET_TYPES.filter((type) => type !== 'pipeline' && type !== 'term') as readonly LinkType[];

/** Objects that the term names, that measure it, or that have to do with it. */
export function TermLinks({ term, canWrite }: PartProps) {
  const key = ['terms', term.id, 'links'];
  const { data, error, refresh } = useQuery(key, () => allOf(api.terms.listLinks(term.id, { limit: PAGE })));
  const remove = useAction(async (type: string, id: string) => {
    await api.terms.removeLink(term.id, type as LinkType, id);
    await refreshQueries(key);
  });
  return (
    <Section title="Linked objects">
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={3} />)}
      {data?.length === 0 && <p class="hint">No object is linked to it.</p>}
      {data && data.length > 0 && (
        <ul class="list used">
          {data.map(({ type, objectId, name, role }) => (
            <li key={`${type} ${objectId}`}>
              <Icon name={typeOf(objectType(type)).icon} label={typeOf(objectType(type)).label} />
              <ObjectLink type={objectType(type)} id={objectId} name={name} />
              <span class="hint">{ROLES[role as keyof typeof ROLES] ?? role}</span>
              {canWrite && (
                <Button
                  isSmall
                  look="plain"
                  icon="x"
                  aria-label={`Remove the link to ${name}`}
                  isBusy={remove.isRunning}
                  onClick={() => void remove.run(type, objectId)}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Issue problem={remove.problem} />
      {canWrite && <AddLink term={term} />}
    </Section>
  );
}

function AddLink({ term }: { term: Types.TermDetails }) {
  const role = useSignal<keyof typeof ROLES>('measuredBy');
  const text = useSignal('');
  const chosen = useSignal<Types.CatalogAsset | undefined>(undefined);
  const words = text.value.trim();
  const found = useQuery(['catalog', 'choices', words], async () =>
    (await api.catalog.listAssets({ limit: 2 * MAX_OFFERED, ...(words && { search: words }) })).items
      .filter(({ type }) => (LINKED as readonly string[]).includes(type))
      .slice(0, MAX_OFFERED),
  );
  const add = useAction(async () => {
    const { type, id } = chosen.peek()!;
    await api.terms.setLink(term.id, type as LinkType, id, { role: role.peek() });
    text.value = '';
    chosen.value = undefined;
    await refreshQueries(['terms', term.id]);
  });
  return (
    <form
      class="adding"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.peek()) void add.run();
      }}
    >
      <Combobox
        label="Object"
        issue={issueOfChoices(found.error)}
        text={text.value}
        options={(found.data ?? []).map((asset) => ({
          ...asset,
          id: `${asset.type} ${asset.id}`,
          label: `${asset.name} (${typeOf(objectType(asset.type)).label.toLowerCase()})`,
        }))}
        type={(typed) => {
          text.value = typed;
          chosen.value = undefined;
        }}
        choose={({ id, label }) => {
          text.value = label;
          chosen.value = found.data?.find((asset) => `${asset.type} ${asset.id}` === id);
        }}
      />
      <SelectField
        label="What it is to the term"
        value={role.value}
        onChange={({ currentTarget: { value } }) => {
          role.value = value as keyof typeof ROLES;
        }}
      >
        {Object.entries(ROLES).map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      <Button type="submit" disabled={chosen.value === undefined} isBusy={add.isRunning}>
        Link
      </Button>
      <Issue problem={add.problem} />
    </form>
  );
}
