import { useMemo, useRef, useState } from 'preact/hooks';
import { problemOf } from '../../data/problem.ts';
import { counted, countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { useWindow } from '../../ui/window.ts';
import { type CatalogTable, MAX_TABLES, readColumns } from './catalog.ts';

interface SchemaTreeProps {
  tables: readonly CatalogTable[];
  sourceId: string | null;
  /** Whether more of them are being read. */
  isReading: boolean;
  /** Puts a name into the editor. */
  insert(name: string, schema?: string, isTable?: boolean): void;
}

interface Node {
  key: string;
  table: CatalogTable;
  /** A column of the table; absent for the table itself. */
  column?: { name: string; type: string };
}

const ROW_PX = 28;
const keyOf = ({ schema, name }: CatalogTable): string => (schema === undefined ? name : `${schema}.${name}`);

/** The tables with their columns, of which only those in sight are drawn. Enter puts a name into the editor. */
export function SchemaTree({ tables, sourceId, isReading, insert }: SchemaTreeProps) {
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => nodesOf(tables, search.toLowerCase(), open), [tables, search, open]);
  const { start, end } = useWindow(box, { count: nodes.length, size: ROW_PX });
  const at = Math.min(active, Math.max(0, nodes.length - 1));
  const toggle = (table: CatalogTable, isOpen = !open.has(keyOf(table))) => {
    const next = new Set(open);
    if (isOpen) next.add(keyOf(table));
    else next.delete(keyOf(table));
    setOpen(next);
    if (isOpen && !table.columns && sourceId !== null) {
      readColumns(sourceId, table).catch((error) => toast(problemOf(error).sentence, { isFailed: true }));
    }
  };
  const enter = ({ table, column }: Node) => {
    if (column) insert(column.name);
    else insert(table.name, table.schema, true);
  };
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(nodes.length - 1, index));
    setActive(next);
    const element = box.current!;
    if (next * ROW_PX < element.scrollTop) element.scrollTop = next * ROW_PX;
    const bottom = (next + 1) * ROW_PX - element.clientHeight;
    if (bottom > element.scrollTop) element.scrollTop = bottom;
  };
  const onKey = (event: KeyboardEvent) => {
    const node = nodes[at];
    if (!node) return;
    const page = Math.floor(box.current!.clientHeight / ROW_PX);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: nodes.length - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    const isOpen = open.has(keyOf(node.table));
    if (moves[event.key] !== undefined) moveTo(moves[event.key]!);
    else if (event.key === 'ArrowRight' && !node.column) isOpen ? moveTo(at + 1) : toggle(node.table, true);
    else if (event.key === 'ArrowLeft' && node.column) moveTo(nodes.findIndex(({ table }) => table === node.table));
    else if (event.key === 'ArrowLeft') toggle(node.table, false);
    else if (event.key === 'Enter') enter(node);
    else return;
    event.preventDefault();
  };
  const found = nodes.filter(({ column }) => !column).length;
  return (
    <div class="sql-tree">
      <SearchField label="Find tables and columns" value={search} onSearch={setSearch} />
      <p class="hint" role="status">
        {search ? `${counted(found, 'table')} found` : counted(tables.length, 'table')}
        {isReading && ' so far'}
        {tables.length >= MAX_TABLES && `; only the first ${countOf(MAX_TABLES)} are listed`}
      </p>
      <div
        ref={box}
        class="sql-tree-rows"
        role="tree"
        aria-label="Tables"
        tabIndex={0}
        aria-activedescendant={nodes[at] ? `node-${at}` : undefined}
        onKeyDown={onKey}
      >
        <div role="presentation" style={{ height: `${nodes.length * ROW_PX}px` }}>
          <div role="presentation" style={{ transform: `translateY(${start * ROW_PX}px)` }}>
            {nodes.slice(start, end).map((node, offset) => (
              <Row
                key={node.key}
                node={node}
                index={start + offset}
                isActive={start + offset === at}
                isOpen={open.has(keyOf(node.table))}
                choose={() => {
                  setActive(start + offset);
                  if (!node.column) toggle(node.table);
                }}
                enter={() => enter(node)}
              />
            ))}
          </div>
        </div>
      </div>
      <p class="hint">Enter or a double click puts a name into the statement.</p>
    </div>
  );
}

interface RowProps {
  node: Node;
  index: number;
  isActive: boolean;
  isOpen: boolean;
  choose(): void;
  enter(): void;
}

function Row({ node: { table, column }, index, isActive, isOpen, choose, enter }: RowProps) {
  const name = column?.name ?? keyOf(table);
  const detail =
    column?.type ?? (table.rowCount == null ? '' : `${table.isEstimated ? '≈ ' : ''}${countOf(table.rowCount)}`);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys.
    <div
      id={`node-${index}`}
      role="treeitem"
      aria-level={column ? 2 : 1}
      aria-expanded={column ? undefined : isOpen}
      aria-selected={isActive}
      tabIndex={-1}
      class={isActive ? 'sql-node active' : 'sql-node'}
      style={{ height: `${ROW_PX}px` }}
      title={detail ? `${name}: ${detail}${column ? '' : ' rows'}` : name}
      onClick={choose}
      onDblClick={enter}
    >
      {column ? <span class="no-icon" /> : <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={16} />}
      <span class="sql-node-name">{name}</span>
      <span class="hint">{detail}</span>
    </div>
  );
}

/** Tables whose name has the text, and those with such a column, which show only these columns. */
function nodesOf(tables: readonly CatalogTable[], search: string, open: ReadonlySet<string>): Node[] {
  return tables.flatMap((table): Node[] => {
    const key = keyOf(table);
    const isNamed = search === '' || key.toLowerCase().includes(search);
    const columns = table.columns ?? [];
    const shown = isNamed ? columns : columns.filter(({ name }) => name.toLowerCase().includes(search));
    if (!isNamed && shown.length === 0) return [];
    const isOpen = open.has(key) || !isNamed;
    return [
      { key, table },
      ...(isOpen ? shown.map((column) => ({ key: `${key}.${column.name}`, table, column })) : []),
    ];
  });
}
