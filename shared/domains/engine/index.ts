/** The public API of this domain; everything else is internal. */
export { type EngineFunction, engineFunction } from './client.ts';
export type {
  ColumnsAnswer,
  ColumnsRequest,
  DescribeAnswer,
  DescribeRequest,
  EngineReply,
  EngineRequest,
  FileAnswer,
  FileRequest,
  InspectAnswer,
  InspectRequest,
  LineageAnswer,
  LineageRequest,
  PortableAnswer,
  PortableRequest,
  QueryAnswer,
  QueryRequest,
  RowRestriction,
  RunCodeAnswer,
  RunCodeRequest,
  TableInput,
} from './protocol.ts';
