import { allOf, PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import { fieldName, type Table as ModelTable, useTables } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { FieldChoice } from '../../shell/field-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useChosen } from './chosen.ts';
import { PartForm } from './part-form.tsx';
import type { PartProps } from './part-props.ts';

type Hierarchy = Types.ModelHierarchy;

/** Levels to go down by, from the coarsest to the finest. */
export function Hierarchies(part: PartProps) {
  const { model, canEdit } = part;
  const tables = useTables(model.id).data ?? [];
  const { data, error, refresh } = useQuery(['models', model.id, 'hierarchies'], () =>
    allOf(api.models.listHierarchies(model.id, { limit: PAGE })),
  );
  const { chosen, choose, close } = useChosen(part);
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />;
  const current = data.find(({ id }) => id === chosen);
  const make = canEdit && (
    <Button icon="plus" onClick={() => choose('new')}>
      New hierarchy
    </Button>
  );
  return (
    <>
      {(current || chosen === 'new') && (
        <HierarchyForm key={chosen} modelId={model.id} tables={tables} hierarchy={current} close={close} />
      )}
      {data.length === 0 ? (
        chosen !== 'new' && (
          <Empty icon="list" title="There are no hierarchies yet" action={make}>
            A hierarchy leads from coarse to fine values, such as country, region and city.
          </Empty>
        )
      ) : (
        <>
          {make && <div class="filters">{make}</div>}
          <Table
            label="Hierarchies"
            columns={columnsOf(tables, canEdit ? choose : undefined)}
            rows={data}
            keyOf={({ id }) => id}
          />
        </>
      )}
    </>
  );
}

const columnsOf = (
  tables: readonly ModelTable[],
  edit: ((id: string) => void) | undefined,
): readonly Column<Hierarchy>[] => [
  {
    id: 'name',
    label: 'Hierarchy',
    width: '30%',
    cell: ({ id, name }) =>
      edit ? (
        <button type="button" class="text-button" onClick={() => edit(id)}>
          {name}
        </button>
      ) : (
        name
      ),
  },
  {
    id: 'levels',
    label: 'Levels',
    cell: ({ levels }) => levels.map(({ label, fieldId }) => label || fieldName(tables, fieldId)).join(' › '),
  },
];

interface Draft {
  name: string;
  levels: readonly { fieldId: string; label: string }[];
}

const NEW: Draft = {
  name: '',
  levels: [
    { fieldId: '', label: '' },
    { fieldId: '', label: '' },
  ],
};
const draftOf = ({ name, levels }: Hierarchy): Draft => ({ name, levels });

interface HierarchyFormProps {
  modelId: string;
  tables: readonly ModelTable[];
  hierarchy: Hierarchy | undefined;
  close: () => void;
}

function HierarchyForm({ modelId, tables, hierarchy, close }: HierarchyFormProps) {
  const bodyOf = ({ name, levels }: Draft): Types.CreateModelHierarchy => ({
    name,
    levels: levels.map(({ fieldId, label }) => ({ fieldId, ...(label.trim() && { label: label.trim() }) })),
  });
  const written = (levels: Draft['levels']) =>
    levels.map(({ label, fieldId }) => label || fieldName(tables, fieldId)).join(' › ');
  return (
    <PartForm<Hierarchy, Draft>
      modelId={modelId}
      noun="hierarchy"
      name={hierarchy?.name ?? ''}
      part={hierarchy}
      draft={hierarchy ? draftOf(hierarchy) : NEW}
      draftOf={draftOf}
      labels={{ name: 'Name', levels: { label: 'Levels', write: written } }}
      read={async () => {
        for await (const each of api.models.listHierarchies(modelId, { limit: PAGE }))
          if (each.id === hierarchy!.id) return each;
        throw new Error('The hierarchy no longer exists.');
      }}
      save={(draft, options) =>
        hierarchy
          ? api.models.updateHierarchy(modelId, hierarchy.id, bodyOf(draft), options)
          : api.models.createHierarchy(modelId, bodyOf(draft))
      }
      remove={({ ifMatch }) => api.models.deleteHierarchy(modelId, hierarchy!.id, { ifMatch })}
      close={close}
    >
      {({ draft, set, issue }) => {
        const replace = (at: number, change: Partial<Draft['levels'][number]>) =>
          set({ levels: draft.levels.map((level, index) => (index === at ? { ...level, ...change } : level)) });
        return (
          <>
            <Field
              label="Name"
              required
              issue={issue('name')}
              value={draft.name}
              onInput={({ currentTarget: { value } }) => set({ name: value })}
            />
            {draft.levels.map(({ fieldId, label }, index) => (
              <div class="beside" key={index}>
                <FieldChoice
                  label={`Level ${index + 1}`}
                  tables={tables}
                  value={fieldId}
                  issue={issue(`levels/${index}/fieldId`)}
                  choose={(id) => replace(index, { fieldId: id })}
                />
                <Field
                  label={`Label of level ${index + 1}`}
                  placeholder="the name of the field"
                  value={label}
                  onInput={({ currentTarget: { value } }) => replace(index, { label: value })}
                />
              </div>
            ))}
            <div class="actions">
              {draft.levels.length < 10 && (
                <Button
                  isSmall
                  icon="plus"
                  onClick={() => set({ levels: [...draft.levels, { fieldId: '', label: '' }] })}
                >
                  Add level
                </Button>
              )}
              {draft.levels.length > 2 && (
                <Button isSmall look="plain" icon="x" onClick={() => set({ levels: draft.levels.slice(0, -1) })}>
                  Remove the last level
                </Button>
              )}
            </div>
          </>
        );
      }}
    </PartForm>
  );
}
