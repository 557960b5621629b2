import { translateCube } from './cube/index.ts';
import { translateDbt } from './dbt/index.ts';
import { translateLightdash } from './lightdash.ts';
import { translateMetabase } from './metabase/index.ts';
import type { Translator } from './translation.ts';

/** The tools whose files are translated. */
export const TRANSLATORS: Readonly<Record<string, Translator>> = {
  dbt: translateDbt,
  lightdash: translateLightdash,
  cube: translateCube,
  metabase: translateMetabase,
};
