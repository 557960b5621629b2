import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { type BoardDraft, filterBody } from '../../data/board-draft.ts';
import { type BoardFilter, parsed } from '../../data/boards.ts';
import { api, type Types } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { Empty, Issue } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { FILTER_TYPES, FilterForm, useFilterFields } from './filter-form.tsx';

type Body = Types.CreateDashboardFilter;

/** What readers filter the cards by. */
export default function Filters({ draft }: { draft: BoardDraft }) {
  const { filters, cards } = draft.board.value;
  const [edited, edit] = useState<BoardFilter | 'new' | undefined>(undefined);
  const fields = useFilterFields(cards);
  const change = useAction((work: () => PromiseLike<unknown>) => draft.structure(work));
  const remove = async (filter: BoardFilter) => {
    const known = knownId(filter.id);
    const isDone = await change.run(() =>
      api.dashboards.deleteFilter(draft.id, filter.id, { ifMatch: filter.revision }),
    );
    if (!isDone) return;
    draft.history.add({
      label: `Delete the filter ${filter.label || filter.fieldId}`,
      undo: () =>
        draft.structure(async () => {
          known.id = (await api.dashboards.createFilter(draft.id, filterBody(filter))).id;
        }),
      redo: () => draft.structure(() => api.dashboards.deleteFilter(draft.id, known.id)),
    });
  };
  return (
    <div class="filters-tab">
      <div class="actions">
        <Button icon="plus" disabled={edited === 'new'} onClick={() => edit('new')}>
          Add filter
        </Button>
      </div>
      <Issue problem={change.problem} />
      {edited !== undefined && (
        <EditFilter
          key={edited === 'new' ? 'new' : edited.id}
          draft={draft}
          filter={edited === 'new' ? undefined : edited}
          close={() => edit(undefined)}
        />
      )}
      {filters.length === 0 && edited === undefined && (
        <Empty icon="list" title="There are no filters yet">
          Readers choose values of a filter above the cards, such as a region or a period.
        </Empty>
      )}
      {filters.length > 0 && (
        <Table
          label="Filters"
          columns={columnsOf({ names: fields, cards, edit, remove: (filter) => void remove(filter) })}
          rows={filters}
          keyOf={({ id }) => id}
        />
      )}
    </div>
  );
}

/** A filter that is created again has another id. */
const knownId = (id: string): { id: string } => ({ id });

interface Doing {
  names: ReturnType<typeof useFilterFields>;
  cards: readonly { id: string; title: string }[];
  edit: (filter: BoardFilter) => void;
  remove: (filter: BoardFilter) => void;
}

const columnsOf = ({ names, cards, edit, remove }: Doing): readonly Column<BoardFilter>[] => [
  {
    id: 'label',
    label: 'Filter',
    cell: (filter) => (
      <button type="button" class="as-link" onClick={() => edit(filter)}>
        {filter.label || (names.find(({ id }) => id === filter.fieldId)?.label ?? filter.fieldId)}
      </button>
    ),
  },
  {
    id: 'field',
    label: 'Field',
    isMinor: true,
    cell: ({ fieldId }) => names.find(({ id }) => id === fieldId)?.label ?? fieldId,
  },
  { id: 'type', label: 'Type', cell: ({ filterType }) => FILTER_TYPES[filterType as 'text'] ?? filterType },
  {
    id: 'default',
    label: 'Default',
    isMinor: true,
    cell: ({ defaultValue }) => {
      const value = parsed(defaultValue);
      return value === null ? 'all' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    },
  },
  {
    id: 'cards',
    label: 'Cards',
    isMinor: true,
    cell: ({ linkedCardIds }) => (
      <span title={linkedCardIds.map((id) => cards.find((card) => card.id === id)?.title || id).join(', ')}>
        {linkedCardIds.length === 0 ? 'all with the field' : counted(linkedCardIds.length, 'card')}
      </span>
    ),
  },
  {
    id: 'delete',
    label: 'Delete',
    width: '100px',
    cell: (filter) => (
      <Button isSmall aria-label={`Delete ${filter.label || filter.fieldId}`} onClick={() => remove(filter)}>
        Delete
      </Button>
    ),
  },
];

interface EditFilterProps {
  draft: BoardDraft;
  filter: BoardFilter | undefined;
  close: () => void;
}

function EditFilter({ draft, filter, close }: EditFilterProps) {
  const { cards } = draft.board.value;
  const body = useSignal<Body>(
    filter ? filterBody(filter) : { fieldId: '', filterType: 'multi_select', label: '', linkedCardIds: [] },
  );
  const save = useAction(async () => {
    const next = body.peek();
    const label = `the filter ${next.label || next.fieldId}`;
    if (filter) {
      const before = { ...filterBody(filter), defaultValue: filter.defaultValue };
      const set = (to: Types.UpdateDashboardFilter, ifMatch?: number) =>
        draft.structure(() => api.dashboards.updateFilter(draft.id, filter.id, to, ifMatch ? { ifMatch } : {}));
      const after = { ...next, defaultValue: next.defaultValue ?? null };
      await set(after, filter.revision);
      draft.history.add({
        label: `Change ${label}`,
        undo: async () => void (await set(before)),
        redo: async () => void (await set(after)),
      });
    } else {
      const known = knownId((await draft.structure(() => api.dashboards.createFilter(draft.id, next))).id);
      draft.history.add({
        label: `Add ${label}`,
        undo: () => draft.structure(() => api.dashboards.deleteFilter(draft.id, known.id)),
        redo: () =>
          draft.structure(async () => {
            known.id = (await api.dashboards.createFilter(draft.id, next)).id;
          }),
      });
    }
    close();
  });
  return (
    <form
      class="form filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <FilterForm cards={cards} body={body} problem={save.problem} />
      {save.problem?.kind === 'changed' && (
        <p class="issue">Another person has changed this filter in the meantime. Close the form and open it again.</p>
      )}
      <Issue problem={save.problem} />
      <div class="actions">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" look="main" isBusy={save.isRunning} disabled={body.value.fieldId === ''}>
          {filter ? 'Save' : 'Add'}
        </Button>
      </div>
    </form>
  );
}
