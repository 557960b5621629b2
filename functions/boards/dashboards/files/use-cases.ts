import {
  assertPartsFit,
  type DashboardState,
  editedDashboard,
  type FileChanges,
  fileChanges,
  fileIssues,
  importedContent,
  type NamedDashboard,
  partsOf,
  readDashboardFile,
  writeDashboardFile,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { Content } from '../../../../shared/platform/http/content.ts';
import { expectingDocument } from '../../../../shared/platform/storage/expectation.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { invalidFile } from '../../../../shared/platform/validation/yaml-file.ts';
import type { DashboardDeps } from '../use-cases/context.ts';
import { type FileSourceDeps, namedSources, withOwnSources } from '../use-cases/file-sources.ts';
import { replaceDraft } from '../use-cases/replace-draft.ts';
import { seenContent } from '../use-cases/seen-content.ts';
import type { DashboardFileReport } from './schemas.ts';

export type FileDeps = DashboardDeps & { sources: FileSourceDeps };

/** What the caller sees of the dashboard. Throws `DASHBOARD_NOT_FOUND` or `DASHBOARD_TOO_LARGE`. */
export async function exportDashboard(deps: FileDeps, named: NamedDashboard): Promise<Content> {
  const { state, ...content } = await seenContent(deps, named);
  const { theme } = content.body;
  const sources = await namedSources(deps.sources, named.principal.workspaceId, { theme, ...content.parts });
  const text = await writeDashboardFile(content, sources);
  // Not as the identity of the bytes, which also depend on the names of sources.
  const headers = { etag: `"${editionOf(state)}"` };
  return new Content(text, { fileName: `${content.name}.yaml`, headers });
}

interface ImportCommand extends NamedDashboard {
  yaml: string;
  dryRun: boolean;
}

/**
 * Throws `DASHBOARD_NOT_FOUND`, `DASHBOARD_NAME_TAKEN`, `DASHBOARD_TOO_LARGE`, and `VALIDATION_FAILED` with all issues
 * of the file.
 */
export async function importDashboard(deps: FileDeps, command: ImportCommand): Promise<DashboardFileReport> {
  const { principal, id, yaml, dryRun } = command;
  await editedDashboard(deps, command);
  const read = await readDashboardFile(yaml);
  return expectingDocument(id, (check) =>
    onNewest('STALE_WRITE', async () => {
      const state = await editedDashboard(deps, command);
      check(editionOf(state));
      const act = { by: principal.userId, at: deps.now() };
      const { file, issues } = await withOwnSources(deps.sources, {
        workspaceId: principal.workspaceId,
        file: read.file,
        present: { ...state.body, ...partsOf(state) },
      });
      const all = [...fileIssues(read.file), ...issues];
      if (all.length > 0) throw invalidFile(read, all);
      const content = importedContent(state, file, act);
      assertPartsFit(content.parts);
      const changes = fileChanges(state, content);
      const stored = dryRun || !hasChanges(changes) ? state : await replaceDraft(deps, state, content, act);
      return { revision: editionOf(stored), dryRun, ...changes };
    }),
  );
}

/** Counts all changes of the dashboard and its parts. */
const editionOf = ({ record, content }: Pick<DashboardState, 'record' | 'content'>): number =>
  record.revision + content.edits;

const hasChanges = ({ dashboard, pages, cards, filters }: FileChanges): boolean =>
  dashboard.length + pages.total + cards.total + filters.total > 0;
