import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { EditorState, Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { bound } from '../../../ui/bound.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { INSERTABLE, type Insertion, type InsertKind, type NearBlock } from '../insert/insertion.ts';
import { newBlockId } from './block-ids.ts';
import { BLOCKS, blockOf, markOf, setBlock, TOOLS, type Tool } from './commands.ts';
import { schema } from './schema.ts';
import { insertTable, isFixedTable, isInTable, TABLE_CHANGES } from './tables.ts';

interface ToolbarProps {
  view: EditorView;
  state: EditorState;
  label: string;
  choose: Choose | undefined;
}

/** Opens the choice of what is inserted, next to the live blocks of the text. */
export type Choose = (kind: InsertKind, blocks: readonly NearBlock[]) => Promise<Insertion | undefined>;

/** What the selection can become. */
export function Toolbar({ view, state, label, choose }: ToolbarProps) {
  const [isLinking, setLinking] = useState(false);
  const run = ({ run: command }: Pick<Tool, 'run'>) => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const insert = async (kind: InsertKind) => {
    const chosen = await choose?.(kind, liveBlocksIn(view.state));
    if (chosen) view.dispatch(inserting(view.state, chosen));
    // The dialog gives the focus back to the button that opened it first.
    setTimeout(() => view.focus());
  };
  const current = blockOf(state);
  return (
    <div class="toolbar" role="toolbar" aria-label={`Format of ${label}`}>
      <select
        aria-label="Kind of block"
        value={BLOCKS.some(({ id }) => id === current) ? current : ''}
        onChange={({ currentTarget }) => run({ run: setBlock(currentTarget.value) })}
      >
        {!BLOCKS.some(({ id }) => id === current) && <option value="" />}
        {BLOCKS.map(({ id, label: name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {TOOLS.map((group) => (
        <span key={group[0]!.id} class="tools-group">
          {group.map((tool) => (
            <button
              key={tool.id}
              type="button"
              class={`button plain tool ${tool.id}`}
              aria-label={tool.label}
              title={tool.label}
              aria-pressed={tool.isOn?.(state)}
              onClick={() => run(tool)}
            >
              <span aria-hidden="true">{tool.sign}</span>
            </button>
          ))}
        </span>
      ))}
      <Button
        isSmall
        look="plain"
        icon="link"
        disabled={state.selection.empty}
        aria-pressed={state.doc.rangeHasMark(state.selection.from, state.selection.to, markOf('link'))}
        onClick={() => setLinking(true)}
      >
        Link
      </Button>
      {isInTable(state) && (
        <Menu
          class="small"
          choices={TABLE_CHANGES.map((group) =>
            group
              .filter(({ run: command }) => command(state))
              .map(({ label: words, run: command }) => ({ label: words, run: () => run({ run: command }) })),
          )}
        >
          <Icon name="table" size={16} />
          Table
        </Menu>
      )}
      {choose && (
        <Menu
          class="small"
          choices={[
            (['card', 'chart', 'value'] as const).map((kind) => ({
              label: INSERTABLE[kind],
              icon: ICONS[kind],
              run: () => void insert(kind),
            })),
            [
              { label: 'Table', icon: 'table', run: () => run({ run: insertTable }) },
              { label: INSERTABLE.image, icon: ICONS.image, run: () => void insert('image') },
            ],
          ]}
        >
          <Icon name="plus" size={16} />
          Insert
        </Menu>
      )}
      {isFixedTable(state) && (
        <span class="hint">
          This table has merged cells: you can change its text here, but not its rows and columns.
        </span>
      )}
      {isLinking && <LinkDialog view={view} close={() => setLinking(false)} />}
    </div>
  );
}

const ICONS: Readonly<Record<InsertKind, IconName>> = {
  card: 'layout-dashboard',
  chart: 'chart-column',
  value: 'gauge',
  image: 'external-link',
};

const liveBlocksIn = ({ doc }: EditorState): NearBlock[] =>
  doc.children.flatMap(({ type, attrs }) =>
    type.name === 'liveBlock' ? [{ id: String(attrs.id), title: String(attrs.title ?? 'Live block') }] : [],
  );

/** Numbers stand at the cursor; blocks at the top level, below the block with the cursor. */
function inserting({ tr, selection }: EditorState, { type, attrs }: Insertion): Transaction {
  const node = schema.nodes[type]!.create({ ...attrs, id: newBlockId() });
  if (type === 'value') return tr.replaceSelectionWith(node, false).scrollIntoView();
  const { $to } = selection;
  return tr.insert($to.depth > 0 ? $to.after(1) : $to.pos, node).scrollIntoView();
}

/** The address of the selected words; an empty one removes it. */
function LinkDialog({ view, close }: { view: EditorView; close: () => void }) {
  const { from, to } = view.state.selection;
  let known = '';
  view.state.doc.nodesBetween(from, to, (node) => {
    known ||= String(markOf('link').isInSet(node.marks)?.attrs.href ?? '');
  });
  const href = useSignal(known);
  const save = async () => {
    const { tr } = view.state;
    const address = href.peek().trim();
    tr.removeMark(from, to, markOf('link'));
    if (address) tr.addMark(from, to, markOf('link').create({ href: address }));
    view.dispatch(tr);
    return true;
  };
  return (
    <Dialog title="Link" close={close} action="Save" submit={save}>
      <Field
        label="Address"
        type="url"
        pattern="(https?:|mailto:).*"
        placeholder="https://example.com"
        hint="Leave it empty for no link."
        {...bound(href)}
      />
    </Dialog>
  );
}
