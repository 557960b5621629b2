import { FileOptions, fileOptionIssues } from '../../../shared/data/files/file-options.ts';
import type { FileFormat } from '../../../shared/data/files/formats.ts';
import { AppError, type Issue } from '../../../shared/platform/errors/app-error.ts';
import { hasShape, shapeIssues } from '../../../shared/platform/validation/shape-issues.ts';

const AT = '/query/options';

/** The options as JSON; `sheet` and `headerRow` may also be parameters of their own. */
export type PreviewQuery = Pick<FileOptions, 'sheet' | 'headerRow'> & { options?: string };

/** The options of a preview. Throws `VALIDATION_FAILED`. */
export function previewOptions({ options: text, sheet, headerRow }: PreviewQuery): FileOptions {
  const options = text === undefined ? {} : parsed(text);
  if (!hasShape(FileOptions, options)) throw invalid(shapeIssues(FileOptions, options, AT));
  return {
    ...options,
    ...(sheet === undefined ? {} : { sheet }),
    ...(headerRow === undefined ? {} : { headerRow }),
  };
}

/** Throws `VALIDATION_FAILED` if the options contradict each other, or the format does not have them. */
export function rejectInvalidOptions(options: FileOptions, format: FileFormat): void {
  const issues = fileOptionIssues(options, format, AT);
  if (issues.length > 0) throw invalid(issues);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `must be JSON, such as {"headerRow":4}: ${(cause as Error).message}`;
    throw invalid([{ pointer: AT, code: 'FORMAT', message }], cause);
  }
}

const invalid = (errors: Issue[], cause?: unknown) => new AppError('VALIDATION_FAILED', { errors, cause });
