import type { QuestionDeps } from '../questions/index.ts';
import type { RunBlend } from './client.ts';

export interface BlendDeps extends QuestionDeps {
  runBlend: RunBlend;
}
