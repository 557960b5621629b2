import { type Block, type RichNode, type RichText, readRichText } from '../../../../shared/data/rich-text/index.ts';
import { ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';
import { COMPARISONS } from '../../../../shared/domains/semantics/metrics/index.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { StringEnum } from '../../../../shared/platform/http/schemas.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { shapeIssues } from '../../../../shared/platform/validation/shape-issues.ts';

const EMPTY = { type: 'doc', content: [] };

export interface Place {
  /** The pointer of the content in the request. */
  at: string;
  /** The ids of the blocks in other sections of the story. */
  takenIds: ReadonlySet<string>;
  /** The blocks of the section so far. */
  known?: readonly Block[];
}

/**
 * The stored form of a content; an empty paragraph if there is none. Throws `STORY_CONTENT_INVALID` with every issue.
 */
export function readContent(value: unknown, { at, takenIds, known = [] }: Place): RichText {
  const read = readRichText(value ?? EMPTY, { newId: () => newId(), at, takenIds, known, check: sourceIssues });
  if (!read.isValid) throw new AppError('STORY_CONTENT_INVALID', { errors: read.issues });
  return read.content;
}

/** The attributes of live blocks and values are valid, but not yet the charts and comparisons in them. */
function sourceIssues({ type, attrs }: RichNode, pointer: string): Issue[] {
  const source = attrs?.source as { kind?: string; chartSpec?: unknown; compare?: string };
  if (type === 'liveBlock' && source.kind === 'chart')
    return shapeIssues(ChartSpec, source.chartSpec, `${pointer}/source/chartSpec`);
  if (type === 'value' && source.compare !== undefined)
    return compareIssues(source.compare, `${pointer}/source/compare`);
  return [];
}

const compareIssues = (compare: string, pointer: string): Issue[] =>
  shapeIssues(StringEnum(COMPARISONS), compare, pointer);

export const blockIdsOf = ({ content }: RichText): string[] => content.map(({ attrs }) => attrs.id);
