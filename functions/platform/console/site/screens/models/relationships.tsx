import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { allOf, PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import { fieldName, type Table as ModelTable, useTables } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { FieldChoice } from '../../shell/field-choice.tsx';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { counted, shareOf } from '../../ui/format.ts';
import { Graph } from '../../ui/graph.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useChosen } from './chosen.ts';
import { findPart, PartForm } from './part-form.tsx';
import { type EditPart, PartName } from './part-list.tsx';
import type { PartProps } from './part-props.ts';

type Relationship = Types.ModelRelationship;

/** How the tables are joined: as a graph, and as a list. */
export function Relationships(part: PartProps) {
  const { model, canEdit } = part;
  const tables = useTables(model.id);
  const relationships = useQuery(['models', model.id, 'relationships'], () =>
    allOf(api.models.listRelationships(model.id, { limit: PAGE })),
  );
  const { chosen, choose, close } = useChosen(part);
  const error = tables.error ?? relationships.error;
  if (!tables.data || !relationships.data) {
    if (!error) return <Loading rows={8} />;
    const retry = () => {
      tables.refresh();
      relationships.refresh();
    };
    return <Failed problem={problemOf(error)} retry={retry} />;
  }
  const all = relationships.data;
  const current = all.find(({ id }) => id === chosen);
  const canJoin = canEdit && tables.data.length > 1;
  return (
    <>
      {canJoin && (
        <div class="filters">
          <Button icon="plus" onClick={() => choose('new')}>
            New relationship
          </Button>
          <Detect modelId={model.id} known={all} />
        </div>
      )}
      {(current || chosen === 'new') && (
        <RelationshipForm key={chosen} modelId={model.id} tables={tables.data} relationship={current} close={close} />
      )}
      {tables.data.length > 1 && (
        <div class="lineage">
          <Graph
            nodes={tables.data.map(({ id, alias, fields }) => ({
              id,
              title: alias,
              href: to(`/models/${model.id}`, { table: id }),
              content: (
                <>
                  <span class="node-name">{alias}</span>
                  <span class="node-kind">{counted(fields.length, 'field')}</span>
                </>
              ),
            }))}
            edges={all.map(({ fromTableId, toTableId, cardinality, isActive }) => ({
              from: fromTableId,
              to: toTableId,
              labels: cardinality.split(':') as [string, string],
              isDashed: !isActive,
            }))}
          />
        </div>
      )}
      {all.length === 0 ? (
        <Empty icon="share-2" title="The tables are not joined yet">
          {tables.data.length < 2
            ? 'A relationship joins two tables; this model has fewer.'
            : 'A relationship joins the rows of two tables that belong together, such as customers and their orders.'}
        </Empty>
      ) : (
        <Table
          label="Relationships"
          columns={columnsOf(tables.data, canEdit ? choose : undefined)}
          rows={all}
          keyOf={({ id }) => id}
        />
      )}
    </>
  );
}

const JOINS: Readonly<Record<string, string>> = {
  inner: 'only rows with a partner',
  left: 'rows of the aggregated table',
  right: 'also partners without it',
  full: 'all rows',
};

const CARDINALITIES: Readonly<Record<string, string>> = {
  '1:1': 'one to one',
  '1:N': 'one to many',
  'N:M': 'many to many',
};

const columnsOf = (tables: readonly ModelTable[], edit: EditPart): readonly Column<Relationship>[] => [
  {
    id: 'from',
    label: 'From',
    cell: ({ id, fromFieldId }) => (
      <PartName of={id} edit={edit}>
        {fieldName(tables, fromFieldId) ?? '–'}
      </PartName>
    ),
  },
  { id: 'to', label: 'To', cell: ({ toFieldId }) => fieldName(tables, toFieldId) ?? '–' },
  {
    id: 'cardinality',
    label: 'Rows',
    width: '130px',
    cell: ({ cardinality }) => CARDINALITIES[cardinality] ?? cardinality,
  },
  { id: 'join', label: 'Keeps', isMinor: true, cell: ({ joinType }) => JOINS[joinType] ?? joinType },
  {
    id: 'active',
    label: 'Used',
    width: '90px',
    isMinor: true,
    cell: ({ isActive }) => (isActive ? 'yes' : <span class="hint">no</span>),
  },
];

const NEW = { fromFieldId: '', toFieldId: '', cardinality: '1:N', joinType: 'left', isActive: true };
type Draft = typeof NEW;
const draftOf = ({ fromFieldId, toFieldId, cardinality, joinType, isActive }: Relationship): Draft => ({
  fromFieldId,
  toFieldId,
  cardinality,
  joinType,
  isActive,
});

interface RelationshipFormProps {
  modelId: string;
  tables: readonly ModelTable[];
  relationship: Relationship | undefined;
  close: () => void;
}

function RelationshipForm({ modelId, tables, relationship, close }: RelationshipFormProps) {
  const nameOf = (id: string) => fieldName(tables, id) ?? 'a field that no longer exists';
  const tableOf = (fieldId: string) => tables.find(({ fields }) => fields.some(({ id }) => id === fieldId))?.id ?? '';
  const bodyOf = ({ fromFieldId, toFieldId, ...others }: Draft): Types.CreateModelRelationship => ({
    fromTableId: tableOf(fromFieldId),
    fromFieldId,
    toTableId: tableOf(toFieldId),
    toFieldId,
    ...(others as Pick<Types.CreateModelRelationship, 'cardinality' | 'joinType' | 'isActive'>),
  });
  const mayJoin = ({ fieldType }: { fieldType: string }) => fieldType !== 'calculated';
  return (
    <PartForm<Relationship, Draft>
      modelId={modelId}
      noun="relationship"
      name={relationship ? `${nameOf(relationship.fromFieldId)} – ${nameOf(relationship.toFieldId)}` : ''}
      part={relationship}
      draft={relationship ? draftOf(relationship) : NEW}
      draftOf={draftOf}
      labels={{
        fromFieldId: { label: 'From', write: nameOf },
        toFieldId: { label: 'To', write: nameOf },
        cardinality: 'Rows',
        joinType: 'Keeps',
        isActive: 'Used',
      }}
      read={() => findPart(api.models.listRelationships(modelId, { limit: PAGE }), relationship!, 'relationship')}
      save={(draft, options) =>
        relationship
          ? api.models.updateRelationship(modelId, relationship.id, bodyOf(draft), options)
          : api.models.createRelationship(modelId, bodyOf(draft))
      }
      remove={({ force, ifMatch }) => api.models.deleteRelationship(modelId, relationship!.id, { force }, { ifMatch })}
      loses="Measures and cards that combine the two tables stop working."
      close={close}
    >
      {({ draft, set, issue }) => (
        <>
          <div class="beside">
            <FieldChoice
              label="From"
              tables={tables}
              suits={mayJoin}
              value={draft.fromFieldId}
              issue={issue('fromFieldId')}
              choose={(fromFieldId) => set({ fromFieldId })}
            />
            <FieldChoice
              label="To"
              tables={tables}
              suits={mayJoin}
              value={draft.toFieldId}
              issue={issue('toFieldId')}
              choose={(toFieldId) => set({ toFieldId })}
            />
          </div>
          <div class="beside">
            <Choice
              label="Rows"
              texts={CARDINALITIES}
              value={draft.cardinality}
              issue={issue('cardinality')}
              choose={(cardinality) => set({ cardinality })}
            />
            <Choice
              label="Keeps"
              texts={JOINS}
              value={draft.joinType}
              issue={issue('joinType')}
              choose={(joinType) => set({ joinType })}
            />
          </div>
          <CheckField
            label="Queries join by it"
            checked={draft.isActive}
            onChange={({ currentTarget: { checked } }) => set({ isActive: checked })}
          />
        </>
      )}
    </PartForm>
  );
}

interface ChoiceProps {
  label: string;
  texts: Readonly<Record<string, string>>;
  value: string;
  issue: string | undefined;
  choose(value: string): void;
}

const Choice = ({ label, texts, value, issue, choose }: ChoiceProps) => (
  <SelectField label={label} value={value} issue={issue} onChange={({ currentTarget }) => choose(currentTarget.value)}>
    {Object.entries(texts).map(([id, text]) => (
      <option key={id} value={id}>
        {text}
      </option>
    ))}
  </SelectField>
);

const DETECT_MS = 28_000;

/** Looks for relationships in the values of the tables, to choose from. */
function Detect({ modelId, known }: { modelId: string; known: readonly Relationship[] }) {
  const found = useSignal<readonly Types.DetectedRelationship[] | undefined>(undefined);
  const detect = useAction(async () => {
    found.value = (await api.models.detectRelationships(modelId, { timeoutMs: DETECT_MS })).items;
  });
  const add = useAction(async ({ confidence: _c, evidence: _e, ...body }: Types.DetectedRelationship) => {
    await api.models.createRelationship(modelId, body as Types.CreateModelRelationship);
    await refreshQueries(['models', modelId]);
  });
  const isKnown = (each: Types.DetectedRelationship) =>
    known.some(({ fromFieldId, toFieldId }) => {
      const ends = [fromFieldId, toFieldId];
      return ends.includes(each.fromFieldId) && ends.includes(each.toFieldId);
    });
  const offered = found.value?.filter((each) => !isKnown(each));
  return (
    <>
      <Button icon="search" isBusy={detect.isRunning} onClick={() => void detect.run()}>
        Find in the data
      </Button>
      <Issue problem={detect.problem ?? add.problem} />
      {offered && (
        <div class="found" role="status">
          <Section title={offered.length === 0 ? 'Nothing more was found' : 'Found in the data'}>
            <ul class="list">
              {offered.map((each) => (
                <li key={each.fromFieldId + each.toFieldId}>
                  <code>
                    {each.fromTable}.{each.fromField}
                  </code>{' '}
                  – {CARDINALITIES[each.cardinality] ?? each.cardinality} –{' '}
                  <code>
                    {each.toTable}.{each.toField}
                  </code>{' '}
                  <span class="hint">{shareOf(each.evidence.containment, 1)} of the values match</span>{' '}
                  <Button
                    isSmall
                    isBusy={add.isRunning}
                    aria-label={`Add ${each.fromTable}.${each.fromField} to ${each.toTable}.${each.toField}`}
                    onClick={() => void add.run(each)}
                  >
                    Add
                  </Button>
                </li>
              ))}
            </ul>
          </Section>
        </div>
      )}
    </>
  );
}
