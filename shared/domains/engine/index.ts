/** The public API of this domain; everything else is internal. */
export { type EngineFunction, engineBy, engineFunction, startEngine } from './client.ts';
export type {
  ComputedRows,
  DescribeAnswer,
  DescribeRequest,
  EngineReply,
  EngineRequest,
  FileAnswer,
  FileRequest,
  InspectAnswer,
  InspectRequest,
  QueryAnswer,
  QueryRequest,
  RelatedTable,
  RowRestriction,
  RunCodeAnswer,
  RunCodeRequest,
  StatementAnalysis,
  StatementsAnswer,
  StatementsRequest,
  TableInput,
} from './protocol.ts';
