import type { TermProposal as StoredProposal } from '../../../../../shared/domains/catalog/terms/index.ts';
import type { TermProposal } from '../schemas.ts';

export function showProposal({ workspaceId: _, ...proposal }: StoredProposal): TermProposal {
  return proposal;
}
