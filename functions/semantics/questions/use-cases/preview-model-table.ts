import {
  type PreviewCommand,
  previewTable,
  type QuestionDeps,
} from '../../../../shared/domains/semantics/questions/index.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';

/** Throws the errors of `previewTable`. */
export async function previewModelTable(deps: QuestionDeps, command: PreviewCommand): Promise<JsonText> {
  const { rowsJson, ...preview } = await previewTable(deps, command);
  return JsonText.of(preview, { rows: rowsJson });
}
