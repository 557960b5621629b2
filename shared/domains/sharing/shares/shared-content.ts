import type { Static } from 'typebox';
import * as Type from 'typebox';
import { RichTextContent } from '../../../data/rich-text/index.ts';
import { Id, Nullable, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { ChartSpec } from '../../boards/charts/index.ts';
import {
  bodyProperties,
  cardProperties,
  filterProperties,
  PartId,
  pageProperties,
} from '../../boards/dashboards/index.ts';
import { ReportParameter } from '../../boards/reports/index.ts';
import { ContentType } from './schemas.ts';

export const SharedLink = Type.Object(
  {
    contentType: ContentType,
    title: Nullable(Type.String({ description: 'The name of the content; null if a password is required.' })),
    kind: StringEnum(['share', 'embed'], {
      description: 'Whether the token opens a share link or is an embed token.',
    }),
    passwordRequired: Type.Boolean({ description: 'Whether the other operations need a `password`.' }),
    theme: bodyProperties.theme,
    expiresAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'When the link ends; null for never.' })),
    allowExport: Type.Boolean({ description: 'Whether readers may download the rows of cards.' }),
    allowAi: Type.Boolean({ description: 'Whether readers may ask about the rows.' }),
  },
  { $id: 'SharedLink', description: 'What a link opens, before a password is given.' },
);
export type SharedLink = Static<typeof SharedLink>;

const { query: _query, ...look } = ChartSpec.properties;

const SharedCard = Type.Object(
  {
    id: PartId,
    cardType: cardProperties.cardType,
    title: cardProperties.title,
    description: cardProperties.description,
    position: cardProperties.position,
    chartSpec: Nullable(
      StrictObject(look, { $id: 'SharedChart', description: 'How to draw the rows of the card, without its query.' }),
    ),
    textContent: cardProperties.textContent,
    imageUrl: cardProperties.imageUrl,
    value: cardProperties.value,
    pageId: cardProperties.pageId,
    hasRows: Type.Boolean({ description: 'Whether the card has rows to read.' }),
    parameters: Type.Array(Type.String(), {
      description: 'The names of the parameters of the report that change its rows.',
    }),
  },
  {
    $id: 'SharedCard',
    description: 'A card for the readers of a link: without queries, sources and names of members.',
  },
);

export const SharedContent = Type.Object(
  {
    contentType: ContentType,
    title: Type.String(),
    description: Type.String(),
    theme: bodyProperties.theme,
    pages: Type.Array(
      Type.Object(
        { id: PartId, ...pageProperties },
        { $id: 'SharedPage', description: 'A page of a dashboard, for the readers of a link.' },
      ),
    ),
    cards: Type.Array(SharedCard),
    filters: Type.Array(
      Type.Object(
        { id: Id, ...filterProperties },
        { $id: 'SharedFilter', description: 'A filter that the readers of a link can set.' },
      ),
    ),
    parameters: Type.Array(ReportParameter, {
      description: 'The parameters of a report. Readers choose their values.',
    }),
    sections: Type.Array(
      Type.Object(
        { id: Id, title: Nullable(Type.String()), content: RichTextContent },
        {
          $id: 'SharedSection',
          description:
            'A section of a story. The card of a live block has the id of the block. Inline values and mentions are left out.',
        },
      ),
      { description: 'The sections of a story, in order; empty for other content.' },
    ),
  },
  {
    $id: 'SharedContent',
    description:
      'The published version of a dashboard or a story, or a report whose blocks are cards, for the readers of a link.',
  },
);
export type SharedContent = Static<typeof SharedContent>;
