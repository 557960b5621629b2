import { type Signal, signal } from '@preact/signals';
import type { Difference } from '../ui/differences.ts';
import type { Types } from './client.ts';
import type { Block, Parameter, Report } from './reports.ts';

/** What the editor of a report changes. */
export interface ReportContent {
  name: string;
  description: string;
  blocks: readonly Block[];
  parameters: readonly Parameter[];
}

export type FixedKind = 'heading' | 'text' | 'image' | 'divider' | 'page_break';

export const contentOf = ({ name, description, layout, parameters }: Report): ReportContent => ({
  name,
  description,
  blocks: layout.blocks,
  parameters,
});

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A report while it is edited, kept while the person looks at its other parts. */
export class ReportDraft {
  readonly content: Signal<ReportContent>;
  /** What the changes are based on. */
  readonly revision: Signal<number>;
  #saved: ReportContent;

  constructor(report: Report) {
    this.#saved = contentOf(report);
    this.content = signal(this.#saved);
    this.revision = signal(report.revision);
  }

  get isChanged(): boolean {
    return !isSame(this.content.value, this.#saved);
  }

  set(change: Partial<ReportContent>): void {
    this.content.value = { ...this.content.peek(), ...change };
  }

  setBlock(id: string, next: Block): void {
    this.set({ blocks: this.content.peek().blocks.map((block) => (block.id === id ? next : block)) });
  }

  /** The content was saved as this report. What was typed in the meantime stays a change of it. */
  saved(content: ReportContent, report: Report): void {
    this.#saved = contentOf(report);
    if (this.content.peek() === content) this.content.value = this.#saved;
  }

  /** Continues with the report as it is saved. */
  take(report: Report): void {
    this.#saved = contentOf(report);
    this.content.value = this.#saved;
    this.revision.value = report.revision;
  }

  /**
   * The report was read again. Without changes of one's own, the draft follows it. With them, another text than the one
   * that they began with stays for the next save to find; other members, such as its publication, are no conflict.
   */
  follow(report: Report): void {
    if (report.revision <= this.revision.peek()) return;
    if (!this.isChanged) this.take(report);
    else if (isSame(contentOf(report), this.#saved)) this.revision.value = report.revision;
  }
}

/** A block with an id that the others do not have. */
export const newId = (type: string, blocks: readonly { id: string }[]): string => {
  const taken = new Set(blocks.map(({ id }) => id));
  let count = 1;
  while (taken.has(`${type}-${count}`)) count += 1;
  return `${type}-${count}`;
};

export function fixedBlock(type: FixedKind, blocks: readonly Block[]): Block {
  const id = newId(type, blocks);
  if (type === 'heading' || type === 'text') return { id, type, text: '' };
  if (type === 'image') return { id, type, imageUrl: '' };
  return { id, type };
}

/** The list with a block after the one at the place; -1 for the first. */
export const inserted = (blocks: readonly Block[], after: number, block: Block): Block[] =>
  blocks.toSpliced(after + 1, 0, block);

/** The list with the block at the place moved by some places, as far as there are any. */
export function movedBy(blocks: readonly Block[], at: number, by: number): Block[] {
  const to = Math.max(0, Math.min(blocks.length - 1, at + by));
  return blocks.toSpliced(at, 1).toSpliced(to, 0, blocks[at]!);
}

type DataBlock = Extract<Block, { chartSpec: unknown }>;

/** The blocks with other bindings to the parameters, as after a change of their names. */
const rebound = (blocks: readonly Block[], nameOf: (name: string) => string | undefined): Block[] =>
  blocks.map((block) => {
    if (!('bindings' in block) || !block.bindings) return block;
    const bindings = block.bindings.flatMap((each) => {
      const parameter = nameOf(each.parameter);
      return parameter === undefined ? [] : [{ ...each, parameter }];
    });
    return withBindings(block, bindings);
  });

export function withBindings(block: DataBlock, bindings: Types.ReportParameterBinding[]): DataBlock {
  const { bindings: _former, ...others } = block;
  return { ...others, ...(bindings.length > 0 && { bindings }) };
}

/** The content with another parameter at the place; the blocks follow its name. */
export function withParameter(content: ReportContent, at: number, next: Parameter): Partial<ReportContent> {
  const former = content.parameters[at]!.name;
  const parameters = content.parameters.map((each, index) => (index === at ? next : each));
  if (former === next.name) return { parameters };
  return { parameters, blocks: rebound(content.blocks, (name) => (name === former ? next.name : name)) };
}

/** The content without the parameter at the place. */
export function withoutParameter(content: ReportContent, at: number): Partial<ReportContent> {
  const former = content.parameters[at]!.name;
  return {
    parameters: content.parameters.filter((_each, index) => index !== at),
    blocks: rebound(content.blocks, (name) => (name === former ? undefined : name)),
  };
}

/** The type of a block that shows the chart. */
export function blockTypeOf({ mark: { type } }: Types.ChartSpec): 'chart' | 'table' | 'kpi' | 'pivot' {
  return type === 'table' || type === 'pivot' || type === 'kpi' ? type : 'chart';
}

export const KINDS: Readonly<Record<Block['type'], string>> = {
  heading: 'Heading',
  text: 'Text',
  chart: 'Chart',
  table: 'Table',
  kpi: 'Number',
  pivot: 'Pivot table',
  image: 'Link to an image',
  divider: 'Divider',
  page_break: 'Page break',
};

const MAX_NAME = 60;

/** What a block is called, among the others. */
export function nameOfBlock(block: Block): string {
  const text = 'text' in block ? block.text : 'title' in block ? (block.title ?? '') : '';
  return (
    text
      .replaceAll(/[#*\s]+/g, ' ')
      .trim()
      .slice(0, MAX_NAME) || KINDS[block.type]
  );
}

const MAX_WRITTEN = 300;

function written(block: Block | undefined): string {
  if (!block) return 'removed';
  const { id: _id, type: _type, ...others } = block;
  const text = 'text' in block ? block.text : JSON.stringify(others);
  return text.length > MAX_WRITTEN ? `${text.slice(0, MAX_WRITTEN)}…` : text;
}

/** Where two versions of a report differ, block by block. */
export function reportDifferences(theirs: ReportContent, mine: ReportContent): Difference[] {
  const plain = (label: string, one: string, other: string) =>
    one === other ? [] : [{ label, theirs: one || 'nothing', mine: other || 'nothing' }];
  const ids = [...new Set([...theirs.blocks, ...mine.blocks].map(({ id }) => id))];
  const changed = ids.flatMap((id) => {
    const [one, other] = [theirs, mine].map(({ blocks }) => blocks.find((block) => block.id === id));
    if (isSame(one, other)) return [];
    return [{ label: nameOfBlock((other ?? one)!), theirs: written(one), mine: written(other) }];
  });
  const orderOf = ({ blocks }: ReportContent, others: ReportContent) =>
    blocks.filter(({ id }) => others.blocks.some((each) => each.id === id)).map(({ id }) => id);
  const isReordered = !isSame(orderOf(theirs, mine), orderOf(mine, theirs));
  const order = ({ blocks }: ReportContent) => blocks.map(nameOfBlock).join(', ').slice(0, MAX_WRITTEN);
  const names = ({ parameters }: ReportContent) => parameters.map((each) => JSON.stringify(each)).join(', ');
  return [
    ...plain('Name', theirs.name, mine.name),
    ...plain('Description', theirs.description, mine.description),
    ...changed,
    ...(isReordered ? [{ label: 'Order', theirs: order(theirs), mine: order(mine) }] : []),
    ...plain('Parameters', names(theirs), names(mine)),
  ];
}
