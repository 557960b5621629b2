import type { Block, BlockIssue } from '../../data/reports.ts';
import { Field, TextField } from '../../ui/field.tsx';

interface ReportBlockFieldsProps {
  block: Exclude<Block, { chartSpec: unknown }>;
  issues: readonly BlockIssue[];
  set: (next: Block) => void;
}

/** What is written of a block without rows. */
export function ReportBlockFields({ block, issues, set }: ReportBlockFieldsProps) {
  const issueAt = (member: string) => issues.find((issue) => issue.member === member)?.message;
  if (block.type === 'heading') {
    return (
      <Field
        label="Heading"
        required
        maxLength={200}
        issue={issueAt('text')}
        value={block.text}
        onInput={({ currentTarget }) => set({ ...block, text: currentTarget.value })}
      />
    );
  }
  if (block.type === 'text') {
    return (
      <TextField
        label="Text"
        required
        rows={5}
        maxLength={20_000}
        hint="Markdown: **bold**, # heading, - list, [link](https://…)"
        issue={issueAt('text')}
        value={block.text}
        onInput={({ currentTarget }) => set({ ...block, text: currentTarget.value })}
      />
    );
  }
  if (block.type !== 'image') {
    return <p class="hint">{block.type === 'divider' ? 'A horizontal line.' : 'A new page of the PDF begins here.'}</p>;
  }
  const { title: _title, ...untitled } = block;
  return (
    <>
      <Field
        label="Title"
        maxLength={200}
        issue={issueAt('title')}
        value={block.title ?? ''}
        onInput={({ currentTarget: { value } }) => set(value ? { ...block, title: value } : untitled)}
      />
      <Field
        label="Address of the image"
        type="url"
        required
        placeholder="https://example.com/logo.png"
        hint="Readers see a link: pages load nothing from other hosts."
        issue={issueAt('imageUrl')}
        value={block.imageUrl}
        onInput={({ currentTarget }) => set({ ...block, imageUrl: currentTarget.value })}
      />
    </>
  );
}
