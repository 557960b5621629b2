import { defineGroup, section } from '../../group.ts';
import { examples as accessExamples } from './access/examples.ts';
import * as accessRoutes from './access/routes.ts';
import { examples as aiExamples } from './ai/examples.ts';
import * as aiRoutes from './ai/routes.ts';
import { examples as chatExamples } from './chat/examples.ts';
import * as chatRoutes from './chat/routes.ts';
import { examples as storyExamples } from './examples.ts';
import { examples as peopleExamples } from './people/examples.ts';
import * as peopleRoutes from './people/routes.ts';
import { resources } from './resources.ts';
import * as storyRoutes from './routes.ts';
import { examples as sectionExamples } from './sections/examples.ts';
import * as sectionRoutes from './sections/routes.ts';
import { examples as suggestionExamples } from './suggestions/examples.ts';
import * as suggestionRoutes from './suggestions/routes.ts';
import { examples as templateExamples } from './templates/examples.ts';
import * as templateRoutes from './templates/routes.ts';
import { examples as versionExamples } from './versions/examples.ts';
import * as versionRoutes from './versions/routes.ts';

export const group = defineGroup({
  name: 'stories',
  paths: ['/api/stories'],
  sections: [
    section(
      'Stories',
      'Texts with live numbers, in sections. Contributors work on a draft; readers see what was published.',
      { ...storyRoutes, ...versionRoutes, ...accessRoutes, ...peopleRoutes, ...chatRoutes },
      { ...storyExamples, ...versionExamples, ...accessExamples, ...peopleExamples, ...chatExamples },
    ),
    section(
      'Story templates',
      'Texts and structure from which stories are created: built-in ones, and those of the workspace.',
      templateRoutes,
      templateExamples,
    ),
    section(
      'Story texts',
      'Texts of a language model for stories. Each request calls the model once, and stores nothing.',
      aiRoutes,
      aiExamples,
    ),
    section(
      'Story sections',
      'The sections of a story, their locks, their texts, and suggestions for them.',
      { ...sectionRoutes, ...suggestionRoutes },
      { ...sectionExamples, ...suggestionExamples },
    ),
  ],
  resources,
});
