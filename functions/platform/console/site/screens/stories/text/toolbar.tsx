import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { bound } from '../../../ui/bound.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { newBlockId } from './block-ids.ts';
import { BLOCKS, blockOf, markOf, setBlock, TOOLS, type Tool } from './commands.ts';
import { schema } from './schema.ts';

interface ToolbarProps {
  view: EditorView;
  state: EditorState;
  label: string;
  choose: (() => Promise<Record<string, unknown> | undefined>) | undefined;
}

/** What the selection can become. */
export function Toolbar({ view, state, label, choose }: ToolbarProps) {
  const [isLinking, setLinking] = useState(false);
  const run = ({ run: command }: Pick<Tool, 'run'>) => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const insert = async () => {
    const attrs = await choose?.();
    if (attrs) {
      const node = schema.nodes.liveBlock!.create({ ...attrs, id: newBlockId() });
      // Live blocks stand at the top level: behind the block with the cursor.
      const { $to } = view.state.selection;
      view.dispatch(view.state.tr.insert($to.depth > 0 ? $to.after(1) : $to.pos, node).scrollIntoView());
    }
    view.focus();
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
      {choose && (
        <Button isSmall look="plain" icon="chart-column" onClick={() => void insert()}>
          Live block
        </Button>
      )}
      {isLinking && <LinkDialog view={view} close={() => setLinking(false)} />}
    </div>
  );
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
        hint="Empty for no link."
        {...bound(href)}
      />
    </Dialog>
  );
}
