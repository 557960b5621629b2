import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import { LocationProvider } from 'preact-iso/router';
import { Button, IconButton } from '../../../../functions/platform/console/site/ui/button.tsx';
import { Changed, ChangedDialog } from '../../../../functions/platform/console/site/ui/changed.tsx';
import { CodeField } from '../../../../functions/platform/console/site/ui/code-field.tsx';
import { Combobox } from '../../../../functions/platform/console/site/ui/combobox.tsx';
import { Confirm } from '../../../../functions/platform/console/site/ui/dialog.tsx';
import { differencesOf } from '../../../../functions/platform/console/site/ui/differences.ts';
import { CheckField, Field, SelectField, TextField } from '../../../../functions/platform/console/site/ui/field.tsx';
import { Graph } from '../../../../functions/platform/console/site/ui/graph.tsx';
import { Menu } from '../../../../functions/platform/console/site/ui/menu.tsx';
import { Page, Section } from '../../../../functions/platform/console/site/ui/page.tsx';
import { Popover } from '../../../../functions/platform/console/site/ui/popover.tsx';
import { SeriesChart } from '../../../../functions/platform/console/site/ui/series-chart.tsx';
import { useShortcuts } from '../../../../functions/platform/console/site/ui/shortcuts.ts';
import { Sparkline } from '../../../../functions/platform/console/site/ui/sparkline.tsx';
import { Empty, Failed, Issue, Loading, NotAllowed } from '../../../../functions/platform/console/site/ui/states.tsx';
import { Status, type StatusKind } from '../../../../functions/platform/console/site/ui/status.tsx';
import { type Column, Table } from '../../../../functions/platform/console/site/ui/table.tsx';
import { Tabs } from '../../../../functions/platform/console/site/ui/tabs.tsx';
import { Toasts, toast } from '../../../../functions/platform/console/site/ui/toast.tsx';
import { Tree, TreeItem } from '../../../../functions/platform/console/site/ui/tree.tsx';

/** Every primitive of the console, with ugly content, for the tests of their keys and their accessibility. */

const UGLY = `</td><img src=x onerror="document.title='evil'"> ${'very long '.repeat(12)}`;
const STATUSES: StatusKind[] = ['running', 'succeeded', 'failed', 'waiting', 'cancelled', 'skipped'];
const CITIES = ['Aarhus', 'Basel', 'Berlin', 'Zürich'].map((label) => ({ id: label, label }));

interface Row {
  id: string;
  name: string;
  size: number;
}

const COLUMNS: Column<Row>[] = [
  { id: 'name', label: 'Name', sort: 'name', cell: ({ id, name }) => <a href={`#${id}`}>{name}</a> },
  { id: 'size', label: 'Size', isNumber: true, sort: 'size', isLargestFirst: true, cell: ({ size }) => size },
  { id: 'note', label: 'Note', isMinor: true, cell: () => UGLY },
];
const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `row-${index}`, name: `Row ${index}`, size: index * index }));

const part = location.hash.slice(1) || 'controls';

function Gallery() {
  useShortcuts();
  return (
    <main>
      <Page title={`The ${part}`} lead={UGLY} actions={<Button look="main">Act</Button>}>
        {part === 'controls' && <Controls />}
        {part === 'layers' && <Layers />}
        {part === 'states' && <States />}
        {part === 'graph' && <Graphs />}
        {part === 'rows' && <Table label="Rows" columns={COLUMNS} rows={rowsOf(10_000)} keyOf={({ id }) => id} />}
        {part === 'late-rows' && <LateRows />}
      </Page>
      <Toasts />
    </main>
  );
}

/** Pages of a hundred rows, each of which arrives a moment after it came into sight. The second one fails once. */
function LateRows() {
  const pages = useSignal<ReadonlySet<number>>(new Set([0]));
  const hasFailed = useSignal(false);
  const sort = useSignal('name');
  const read = (page: number) =>
    setTimeout(() => {
      if (page === 1 && !hasFailed.peek()) hasFailed.value = true;
      else pages.value = new Set([...pages.peek(), page]);
    }, 50);
  const list = useMemo(() => {
    const asked = new Set([0]);
    return {
      count: 1_000,
      need(start: number, end: number) {
        for (let page = Math.floor(start / 100); page * 100 < end; page += 1) {
          if (!asked.has(page)) read(page);
          asked.add(page);
        }
      },
      refresh: () => read(1),
    };
  }, []);
  const at = (index: number) =>
    pages.value.has(Math.floor(index / 100)) ? { id: `${index}`, name: `Row ${index}`, size: index } : undefined;
  return (
    <>
      <p role="status">Sorted by {sort.value}</p>
      <Table
        label="Late rows"
        columns={COLUMNS}
        list={{ ...list, at, error: hasFailed.value && !pages.value.has(1) ? 'no' : null }}
        keyOf={({ id }) => id}
        sort={sort.value}
        onSort={(next) => {
          sort.value = next;
        }}
      />
    </>
  );
}

function Controls() {
  const text = useSignal('');
  const shown = CITIES.filter(({ label }) => label.toLowerCase().includes(text.value.toLowerCase()));
  return (
    <Section title="Controls">
      <div class="form">
        <Field label="Name" hint="As others see it." issue="is too long" value={UGLY} />
        <TextField label="Note" />
        <SelectField label="Role">
          <option>viewer</option>
        </SelectField>
        <CodeField label="SQL" issue="Unknown column." value={`SELECT ${UGLY}\nFROM orders`} onChange={() => {}} />
        <CheckField label="Notify me" hint="By mail." />
        <Combobox
          label="City"
          text={text.value}
          options={shown}
          type={(typed) => {
            text.value = typed;
          }}
          choose={({ label }) => {
            text.value = label;
          }}
        />
        <div>
          <Button isBusy>Busy</Button> <Button look="danger">Delete</Button> <Button isSmall>Small</Button>{' '}
          <IconButton icon="x" label="Close" />
        </div>
      </div>
      <Tabs
        label="Parts"
        param="part"
        tabs={[
          { id: 'one', label: 'One' },
          { id: 'two', label: 'Two', count: 12 },
          { id: 'three', label: 'Three' },
        ]}
      >
        {(current) => <p>This is part {current}.</p>}
      </Tabs>
      <Tree label="Tables">
        <TreeItem
          isFirst
          label="public"
          items={() => (
            <>
              <TreeItem label="orders" />
              <TreeItem label={UGLY} />
            </>
          )}
        />
        <TreeItem label="staging" items={() => <TreeItem label="raw" />} />
      </Tree>
    </Section>
  );
}

function Layers() {
  const chosen = useSignal('nothing');
  const isAsking = useSignal(false);
  const isChanged = useSignal(false);
  return (
    <Section title="Layers">
      <p>Chosen: {chosen.value}</p>
      <Menu
        choices={[
          [
            { label: 'Rename', icon: 'pencil', run: () => (chosen.value = 'Rename') },
            { label: 'Copy', run: () => (chosen.value = 'Copy') },
          ],
          [{ label: 'Delete', isDanger: true, run: () => (isAsking.value = true) }],
        ]}
      >
        Actions
      </Menu>
      <Popover label="More" button="…">
        {(close) => (
          <p>
            {UGLY} <Button onClick={close}>Done</Button>
          </p>
        )}
      </Popover>
      <Button
        onClick={() =>
          toast('The row is deleted.', { action: { label: 'Undo', run: () => (chosen.value = 'undone') } })
        }
      >
        Toast
      </Button>
      <Button onClick={() => (isChanged.value = true)}>Save the draft</Button>
      {isChanged.value && (
        <ChangedDialog
          differences={DIFFERENCES}
          keepMine={() => {
            chosen.value = 'mine';
            isChanged.value = false;
          }}
          takeTheirs={() => {
            chosen.value = 'theirs';
            isChanged.value = false;
          }}
          close={() => (isChanged.value = false)}
        />
      )}
      {isAsking.value && (
        <Confirm
          title="Delete orders"
          action="Delete"
          name="orders"
          close={() => (isAsking.value = false)}
          submit={async () => {
            chosen.value = 'deleted';
            return true;
          }}
        >
          Its 12 rows are lost.
        </Confirm>
      )}
    </Section>
  );
}

const node = (id: string, href?: string) => ({
  id,
  title: `${id} ${UGLY}`,
  href,
  content: (
    <>
      <span class="node-name">
        {id} {UGLY}
      </span>
      <span class="hint">a node</span>
    </>
  ),
});

const Graphs = () => (
  <Section title="Graphs">
    <Graph
      nodes={[
        { ...node('one', '#one'), beside: <IconButton icon="plus" label="After one" /> },
        node('two', '#two'),
        node('three', '#three'),
        node('closed'),
      ]}
      edges={[
        { from: 'one', to: 'two', labels: ['1', 'n'] },
        { from: 'one', to: 'three', isDashed: true },
        { from: 'three', to: 'one' },
        { from: 'two', to: 'closed', between: <IconButton icon="plus" label="Between two and closed" /> },
      ]}
      currentId="two"
    />
    <Sparkline values={[1, null, 3, 2, null, null, 5]} label="Revenue, from 1 to 5" />
    <Sparkline values={[7, 7]} label="Revenue, always 7" />
    <SeriesChart
      label="Revenue by month"
      tickText={String}
      points={[-12, 30, null, 4, 1e6].map((value, index) => ({
        label: `${UGLY} ${index}`,
        value,
        text: String(value),
        isOpen: index === 4,
      }))}
    />
    <SeriesChart label="Nothing" tickText={String} points={[]} />
  </Section>
);

const PROBLEM = {
  sentence: UGLY,
  issues: [{ pointer: '/name', message: 'is too long' }],
  code: 'VALIDATION_FAILED',
  requestId: '6f1c',
};

const DIFFERENCES = differencesOf(
  { name: 'hers', note: UGLY, steps: [1, { b: 1, a: 2 }], same: { a: 1, b: 2 } },
  { name: 'his', note: null, steps: [1, { b: 1, a: 3 }], same: { b: 2, a: 1 } },
  {
    name: 'Name',
    note: 'Note',
    steps: { label: 'Steps', write: (steps: unknown[]) => `${steps.length} steps` },
    same: 'Same',
  },
);

const States = () => (
  <Section title="States">
    <p>
      {STATUSES.map((kind) => (
        <Status key={kind} kind={kind} label={kind} />
      ))}
    </p>
    <Loading />
    <Empty icon="database" title="No sources yet" action={<Button look="main">Add a source</Button>}>
      {UGLY}
    </Empty>
    <Failed problem={PROBLEM} retry={() => {}} />
    <NotAllowed title="Not for your role">An admin can change your role.</NotAllowed>
    <Failed problem={{ ...PROBLEM, kind: 'unlicensed' }} retry={() => {}} />
    <Issue problem={PROBLEM} />
    <Changed differences={DIFFERENCES} keepMine={() => {}} takeTheirs={() => {}} />
    <Table label="Few rows" columns={COLUMNS} rows={rowsOf(3)} keyOf={({ id }) => id} />
  </Section>
);

render(
  <LocationProvider>
    <Gallery />
  </LocationProvider>,
  document.getElementById('app')!,
);
