import { SOURCE_KINDS, useSourceName } from '../../data/chart-sources.ts';
import { blockTypeOf, nameOfBlock, type ReportDraft } from '../../data/report-draft.ts';
import { type Block, type BlockIssue, isChart, type Parameter } from '../../data/reports.ts';
import type { Tokens } from '../../data/themes.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { ReportBindings } from './report-bindings.tsx';

interface ReportChartProps {
  block: Extract<Block, { chartSpec: unknown }>;
  draft: ReportDraft;
  parameters: readonly Parameter[];
  tokens: Tokens;
  issues: readonly BlockIssue[];
  /** Whether the chart itself is being changed. */
  isOpen: boolean;
  toggle: () => void;
}

const USUAL_ROWS = 8;

/** A block with rows: its texts, its height, and, once it is opened, its chart and what parameters change in it. */
export function ReportChart({ block, draft, parameters, tokens, issues, isOpen, toggle }: ReportChartProps) {
  const { id, chartSpec, title = '', description = '', height = USUAL_ROWS } = block;
  const source = useSourceName(chartSpec.query.source);
  const issueAt = (member: string) => issues.find((issue) => issue.member === member)?.message;
  const others = issues.filter(({ member }) => /^(chartSpec|bindings)/.test(member));
  const set = (change: Partial<typeof block>) => draft.setBlock(id, { ...block, ...change } as Block);
  return (
    <>
      <div class="report-chart-fields">
        <Field
          label="Title"
          maxLength={200}
          issue={issueAt('title')}
          value={title}
          onInput={({ currentTarget }) => set({ title: currentTarget.value })}
        />
        <Field
          label="Description"
          maxLength={2000}
          issue={issueAt('description')}
          value={description}
          onInput={({ currentTarget }) => set({ description: currentTarget.value })}
        />
        <Field
          label="Height in rows"
          type="number"
          min={2}
          max={24}
          issue={issueAt('height')}
          value={String(height)}
          onChange={({ currentTarget: { value } }) => value !== '' && set({ height: Number(value) })}
        />
      </div>
      {others.length > 0 && (
        <ul class="issue-box">
          {others.map(({ member, message }) => (
            <li key={`${member} ${message}`}>
              <code>{member}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <p class="hint">
        {SOURCE_KINDS[chartSpec.query.source.kind]}: {source ?? '…'}
      </p>
      <div class="actions">
        <Button isSmall icon="chart-column" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Close the chart' : 'Change the chart'}
          <span class="sr"> {nameOfBlock(block)}</span>
        </Button>
      </div>
      {isOpen && (
        <>
          <ChartPanel
            saved={chartSpec}
            save={(spec) => {
              const now = draft.content.peek().blocks.find((each) => each.id === id);
              if (!now || !isChart(now) || JSON.stringify(now.chartSpec) === JSON.stringify(spec)) return;
              draft.setBlock(id, { ...now, type: blockTypeOf(spec), chartSpec: spec } as Block);
            }}
            tokens={tokens}
          />
          {parameters.length > 0 && <ReportBindings block={block} draft={draft} parameters={parameters} />}
        </>
      )}
    </>
  );
}
