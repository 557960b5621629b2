import { useEffect, useRef, useState } from 'preact/hooks';
import {
  blockTypeOf,
  type FixedKind,
  fixedBlock,
  inserted,
  KINDS,
  movedBy,
  nameOfBlock,
  newId,
  type ReportDraft,
} from '../../data/report-draft.ts';
import { type Block, type BlockIssue, isChart } from '../../data/reports.ts';
import type { Tokens } from '../../data/themes.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Menu, type MenuChoice } from '../../ui/menu.tsx';
import { Empty } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ReportBlockFields } from './report-block-fields.tsx';
import { ReportChart } from './report-chart.tsx';
import { type Copied, NewReportChart } from './report-new-chart.tsx';

interface ReportBlocksProps {
  draft: ReportDraft;
  tokens: Tokens;
  issuesOf: (blockId: string) => readonly BlockIssue[];
}

const FIXED: readonly (readonly { kind: FixedKind; icon: IconName }[])[] = [
  [
    { kind: 'heading', icon: 'pencil' },
    { kind: 'text', icon: 'list' },
  ],
  [
    { kind: 'image', icon: 'external-link' },
    { kind: 'divider', icon: 'minus' },
    { kind: 'page_break', icon: 'file' },
  ],
];

/** A chart that is being chosen, below a block or at the end. */
interface Adding {
  after: string | undefined;
  isCard: boolean;
}

const KPI_ROWS = 4;

/** The blocks in order. Each is changed, moved and removed where it stands. */
export function ReportBlocks({ draft, tokens, issuesOf }: ReportBlocksProps) {
  const { blocks, parameters } = draft.content.value;
  const [adding, add] = useState<Adding>();
  const [opened, open] = useState<string>();
  const [said, say] = useState('');
  const frame = useRef<HTMLElement>(null);
  const focusOn = useFocusAfterwards(frame);
  const insert = (block: Block, after: string | undefined) => {
    const now = draft.content.peek().blocks;
    const at = now.findIndex(({ id }) => id === after);
    draft.set({ blocks: inserted(now, at < 0 ? now.length - 1 : at, block) });
    focusOn(block.id, 'input, textarea, [data-move]:enabled');
  };
  const insertChart = ({ title, spec }: Copied) => {
    const type = blockTypeOf(spec);
    const id = newId(type, draft.content.peek().blocks);
    const height = type === 'kpi' ? { height: KPI_ROWS } : {};
    insert({ id, type, ...(title && { title }), chartSpec: spec, ...height } as Block, adding?.after);
    add(undefined);
  };
  const choicesAt = (after: string | undefined): MenuChoice[][] => {
    const fixed = FIXED.map((group) =>
      group.map(
        ({ kind, icon }): MenuChoice => ({
          label: KINDS[kind],
          icon,
          run: () => insert(fixedBlock(kind, draft.content.peek().blocks), after),
        }),
      ),
    );
    const charts: MenuChoice[] = [
      { label: 'Chart, table or number', icon: 'chart-column', run: () => add({ after, isCard: false }) },
      { label: 'Copy of a dashboard card', icon: 'layout-dashboard', run: () => add({ after, isCard: true }) },
    ];
    return [fixed[0]!, charts, fixed[1]!];
  };
  const move = (block: Block, by: number) => {
    const at = blocks.indexOf(block);
    draft.set({ blocks: movedBy(blocks, at, by) });
    say(`${nameOfBlock(block)} is now block ${at + by + 1} of ${blocks.length}.`);
    focusOn(block.id, `[data-move="${by < 0 ? 'up' : 'down'}"]:enabled, [data-move]:enabled`);
  };
  const remove = (block: Block) => {
    const at = blocks.indexOf(block);
    draft.set({ blocks: blocks.filter((each) => each !== block) });
    focusOn((blocks[at + 1] ?? blocks[at - 1])?.id, '[data-remove]');
    const undo = () => draft.set({ blocks: inserted(draft.content.peek().blocks, at - 1, block) });
    toast(`${nameOfBlock(block)} is removed.`, { action: { label: 'Undo', run: undo } });
  };
  const choosing = (after: string | undefined) =>
    adding?.after === after &&
    adding !== undefined && (
      <NewReportChart isCard={adding.isCard} tokens={tokens} insert={insertChart} close={() => add(undefined)} />
    );
  return (
    <section class="report-blocks" aria-label="Blocks" ref={frame}>
      <p class="sr" role="status">
        {said}
      </p>
      {blocks.length === 0 && adding === undefined && (
        <Empty icon="file" title="This report has no blocks yet">
          Use “Add block” below to add a text, a chart of a dataset, model or saved query, or a copy of a card.
        </Empty>
      )}
      <ol>
        {blocks.map((block, index) => {
          const name = nameOfBlock(block);
          const issues = issuesOf(block.id);
          return (
            <li key={block.id} data-report-block={block.id} aria-label={`${KINDS[block.type]} ${index + 1}`}>
              <header>
                <span class="hint">{KINDS[block.type]}</span>
                <span class="row-actions">
                  <IconButton
                    icon="chevron-up"
                    label={`Move ${name} up`}
                    data-move="up"
                    disabled={index === 0}
                    onClick={() => move(block, -1)}
                  />
                  <IconButton
                    icon="chevron-down"
                    label={`Move ${name} down`}
                    data-move="down"
                    disabled={index === blocks.length - 1}
                    onClick={() => move(block, 1)}
                  />
                  <Menu label={`Add below ${name}`} class="icon-only" isRight choices={choicesAt(block.id)}>
                    <Icon name="plus" />
                  </Menu>
                  <IconButton icon="trash-2" label={`Remove ${name}`} data-remove onClick={() => remove(block)} />
                </span>
              </header>
              {isChart(block) ? (
                <ReportChart
                  block={block}
                  draft={draft}
                  parameters={parameters}
                  tokens={tokens}
                  issues={issues}
                  isOpen={opened === block.id}
                  toggle={() => open(opened === block.id ? undefined : block.id)}
                />
              ) : (
                <ReportBlockFields block={block} issues={issues} set={(next) => draft.setBlock(block.id, next)} />
              )}
              {choosing(block.id)}
            </li>
          );
        })}
      </ol>
      {choosing(undefined)}
      <Menu class="bordered" choices={choicesAt(undefined)}>
        <Icon name="plus" size={16} />
        Add block
      </Menu>
    </section>
  );
}

/** Puts the focus into a block once the change of the list is shown. */
function useFocusAfterwards(frame: { current: HTMLElement | null }) {
  const wanted = useRef<{ id: string; selector: string } | undefined>(undefined);
  useEffect(() => {
    if (!wanted.current) return;
    const { id, selector } = wanted.current;
    wanted.current = undefined;
    const block = frame.current?.querySelector(`[data-report-block="${CSS.escape(id)}"]`);
    const found = selector.split(', ').map((each) => block?.querySelector<HTMLElement>(each));
    found.find((each) => each)?.focus();
  });
  return (id: string | undefined, selector: string) => {
    wanted.current = id === undefined ? undefined : { id, selector };
  };
}
