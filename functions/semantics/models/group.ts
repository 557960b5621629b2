import { defineGroup, section } from '../../group.ts';
import { examples as accessExamples } from './access/examples.ts';
import * as accessRoutes from './access/routes.ts';
import { examples as aiExamples } from './ai/examples.ts';
import * as aiRoutes from './ai/routes.ts';
import { examples as copyExamples } from './copies/examples.ts';
import * as copyRoutes from './copies/routes.ts';
import { examples } from './examples.ts';
import { examples as fileExamples } from './files/examples.ts';
import * as fileRoutes from './files/routes.ts';
import { examples as importExamples } from './imports/examples.ts';
import * as importRoutes from './imports/routes.ts';
import { examples as measureExamples } from './measures/examples.ts';
import * as measureRoutes from './measures/routes.ts';
import { resources } from './resources.ts';
import { examples as rollupExamples } from './rollups/examples.ts';
import * as rollupRoutes from './rollups/routes.ts';
import * as routes from './routes.ts';
import { examples as structureExamples } from './structure/examples.ts';
import * as structureRoutes from './structure/routes.ts';
import { examples as tableExamples } from './tables/examples.ts';
import * as tableRoutes from './tables/routes.ts';
import { examples as transformExamples } from './transforms/examples.ts';
import * as transformRoutes from './transforms/routes.ts';
import { examples as versionExamples } from './versions/examples.ts';
import * as versionRoutes from './versions/routes.ts';

export const group = defineGroup({
  name: 'models',
  paths: ['/api/models'],
  sections: [
    section(
      'Models',
      'What the tables of a source mean, said once for every question. Viewers read models, editors write them.',
      { ...routes, ...versionRoutes, ...fileRoutes, ...accessRoutes },
      { ...examples, ...versionExamples, ...fileExamples, ...accessExamples },
    ),
    section(
      'Model tables and fields',
      'The tables of a model with their fields, by hand or imported from the source.',
      { ...tableRoutes, ...importRoutes },
      { ...tableExamples, ...importExamples },
    ),
    section(
      'Relationships, hierarchies and row-level security',
      'How tables belong together, how to drill down, and who sees which rows.',
      { ...structureRoutes, ...copyRoutes },
      { ...structureExamples, ...copyExamples },
    ),
    section(
      'Measures',
      'Numbers that a model defines by expressions over its fields.',
      { ...measureRoutes, ...aiRoutes },
      { ...measureExamples, ...aiExamples },
    ),
    section(
      'Model rollups',
      'Aggregates that are stored, so that questions which they fit are answered fast.',
      rollupRoutes,
      rollupExamples,
    ),
    section(
      'Model transforms',
      'Steps that change the rows of a table before its fields read them.',
      transformRoutes,
      transformExamples,
    ),
  ],
  resources,
});
