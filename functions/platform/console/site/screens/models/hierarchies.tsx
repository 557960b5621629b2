import { allOf, PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import { fieldName, type Table as ModelTable, useTables } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { FieldChoice } from '../../shell/field-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { findPart, PartForm } from './part-form.tsx';
import { type EditPart, PartList, PartName } from './part-list.tsx';
import type { PartProps } from './part-props.ts';

type Hierarchy = Types.ModelHierarchy;

/** Levels to go down by, from the coarsest to the finest. */
export function Hierarchies(part: PartProps) {
  const { model } = part;
  const tables = useTables(model.id).data ?? [];
  const { data, error, refresh } = useQuery(['models', model.id, 'hierarchies'], () =>
    allOf(api.models.listHierarchies(model.id, { limit: PAGE })),
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />;
  return (
    <PartList
      {...part}
      label="Hierarchies"
      noun="hierarchy"
      parts={data}
      keyOf={({ id }) => id}
      columnsOf={(edit) => columnsOf(tables, edit)}
      form={(hierarchy, close) => (
        <HierarchyForm modelId={model.id} tables={tables} hierarchy={hierarchy} close={close} />
      )}
      icon="list"
      title="There are no hierarchies yet"
    >
      A hierarchy leads from coarse to fine values, such as country, region and city.
    </PartList>
  );
}

const columnsOf = (tables: readonly ModelTable[], edit: EditPart): readonly Column<Hierarchy>[] => [
  {
    id: 'name',
    label: 'Hierarchy',
    width: '30%',
    cell: ({ id, name }) => (
      <PartName of={id} edit={edit}>
        {name}
      </PartName>
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
      read={() => findPart(api.models.listHierarchies(modelId, { limit: PAGE }), hierarchy!, 'hierarchy')}
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
