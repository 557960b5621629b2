import { AppError } from '../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';

/** What does not exist and what the reader may not see look the same. */
const PROBLEMS: Partial<Record<ErrorCode, string>> = {
  STORY_BLOCK_WITHOUT_ROWS: 'Nothing has been chosen for this place yet.',
  DASHBOARD_NOT_FOUND: 'This block shows a card of a dashboard that does not exist, or that you may not see.',
  DASHBOARD_CARD_NOT_FOUND: 'The card of this block no longer exists.',
};

/** Why a live block has no card for the reader; undefined for other errors. */
export const missingBlock = (error: unknown): string | undefined =>
  error instanceof AppError ? PROBLEMS[error.code] : undefined;
