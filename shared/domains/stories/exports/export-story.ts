import type { ArticleDocument } from '../../../data/documents/article.ts';
import { fileBaseName } from '../../../data/documents/file-names.ts';
import {
  type ArticleFormat,
  type ExportedFile,
  type ExportOptions,
  exportArticle,
  exportLimits,
  oldestOf,
  type WriterDeps,
} from '../../boards/exports/index.ts';
import { tokensOf } from '../../boards/themes/index.ts';
import { canonicalTimezone } from '../../semantics/queries/index.ts';
import type { StoryView } from '../stories/index.ts';
import { readBlocks } from './read-blocks.ts';
import { type ReadText, readText, type StoryContentDeps } from './read-text.ts';
import { type ShownBlock, storyArticle } from './story-article.ts';

export type StoryExportDeps = StoryContentDeps & WriterDeps;

export interface StoryExport
  extends Pick<ExportOptions, 'principal' | 'timezone' | 'theme' | 'timeoutMs' | 'maxBytes' | 'onError'> {
  storyId: string;
  format: ArticleFormat;
  /** By default, the published version. Only those who see the draft have a choice. */
  view?: StoryView | undefined;
}

/**
 * A story as a file: its text with the live blocks and values as its page shows them to the reader, without the
 * sections that are hidden from the reader, and without comments. A block that fails is reported in the file. Throws
 * `STORY_NOT_FOUND`, `RESULT_TOO_LARGE` for more than `maxBytes`, and `EXPORT_TOO_SLOW` for a file that takes longer
 * than `timeoutMs`.
 */
export async function exportStory(
  deps: StoryExportDeps,
  { storyId: id, view = 'published', format, ...options }: StoryExport,
): Promise<ExportedFile> {
  const generatedAt = deps.now();
  const limits = exportLimits(options, () => deps.now().getTime() - generatedAt.getTime());
  const { principal, onError } = options;
  const text = await readText(deps, { principal, id, view, onError });
  limits.check(0);
  const blocks = await readBlocks(text.deps, text.blocks, { ...options, leftMs: limits.leftMs });
  const article = await articleOf(deps, { ...text, blocks }, { ...options, generatedAt });
  const { title } = article;
  const command = { ...options, format, filters: [] };
  const { extension, ...file } = await exportArticle({ deps, command, ...limits }, article, format);
  return { ...file, fileName: `${fileBaseName(title, 'Story')}.${extension}`, source: { id, name: title } };
}

async function articleOf(
  deps: Pick<StoryExportDeps, 'themes'>,
  { viewed, values, blocks }: Pick<ReadText, 'viewed' | 'values'> & { blocks: ReadonlyMap<string, ShownBlock> },
  {
    principal,
    timezone,
    theme: scheme,
    generatedAt,
  }: Pick<StoryExport, 'principal' | 'timezone' | 'theme'> & { generatedAt: Date },
): Promise<ArticleDocument> {
  const theme = await tokensOf(deps.themes, principal.workspaceId, null);
  const { title, summary, sections } = viewed;
  return {
    title,
    description: summary ?? '',
    timezone: canonicalTimezone(timezone ?? principal.timezone ?? 'UTC'),
    generatedAt: generatedAt.toISOString(),
    asOf: oldestOf([...blocks.values()].map(({ content }) => content)),
    theme: { ...theme, dark: scheme === undefined ? theme.dark : scheme === 'dark' },
    parts: storyArticle(sections, { blocks, values }),
  };
}
