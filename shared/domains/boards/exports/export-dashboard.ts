import { seenParts, withDefaults } from '../cards/index.ts';
import type { ExportCommand, ExportDeps, ExportedFile } from './export-command.ts';
import { exportParts } from './export-parts.ts';

/**
 * A dashboard as a file with what the caller may see of it, and with the default values of the filters that the caller
 * does not set, as its page begins. Throws the not-found errors of the dashboard, its pages and its cards, and what
 * `exportParts` throws.
 */
export async function exportDashboard(
  deps: ExportDeps,
  { dashboardId: id, ...options }: ExportCommand,
): Promise<ExportedFile> {
  const parts = await seenParts(deps, { principal: options.principal, id });
  const file = await exportParts(
    deps,
    { ...options, filters: withDefaults(parts, options.filters) },
    { parts, kind: 'Dashboard' },
  );
  return { ...file, source: { id, name: parts.name } };
}
