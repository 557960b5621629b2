import { enginesAhead } from '../../../../shared/engine/engines-ahead.ts';
import { engineOptions } from './limits.ts';

/** Instances for statements, one at a time. */
export const engines = enginesAhead(engineOptions());
