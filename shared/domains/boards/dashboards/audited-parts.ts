import { boundedMembers, type Members } from '../../../platform/audit/changes.ts';
import { differences } from './parts.ts';
import { type DashboardParts, PART_KINDS, type PartKind, type Parts } from './records.ts';

/** The parts that an edit changes, as the audit log shows them: those before and those after it, by kind. */
export function auditedParts(before: DashboardParts, after: DashboardParts): { before: Members; after: Members } {
  const { put, remove } = differences(before, after);
  const kinds = PART_KINDS.filter((kind) => [...put, ...remove].some((each) => each.kind === kind));
  const changed = new Set([...put, ...remove].map(({ kind, part }) => `${kind}#${part.id}`));
  const side = (parts: DashboardParts): Members =>
    boundedMembers(
      Object.fromEntries(
        kinds.map((kind) => [
          kind,
          parts[kind].filter(({ id }) => changed.has(`${kind}#${id}`)).map((part) => showPart(kind, part)),
        ]),
      ),
    );
  return { before: side(before), after: side(after) };
}

function showPart(kind: PartKind, part: Parts[PartKind]): Members {
  const { id, revision } = part;
  if (kind === 'pages') return { id, name: (part as Parts['pages']).name, revision };
  if (kind === 'filters') return { id, fieldId: (part as Parts['filters']).fieldId, revision };
  const { title, cardType, savedQueryId } = part as Parts['cards'];
  return { id, title, cardType, savedQueryId, revision };
}
