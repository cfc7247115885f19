import { getOperationAST, Kind, type DocumentNode, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import type { ErrorCode } from '../errors.js';

/** What the log says about a GraphQL request; filled in as it becomes known. */
export interface OperationNotes {
  /** Name of the operation, if it has one. */
  operation?: string | undefined;
  /** Names of its root fields, each once. */
  rootFields?: readonly string[];
  /** Number of errors that the caller is shown. */
  errors?: number;
  /** Their codes, each once. */
  codes?: readonly ErrorCode[];
  /** The job that it started. */
  jobId?: string;
  /** The same when there are several. */
  jobIds?: readonly string[];
}

/** Characters of a name that are logged; a document may be almost as long as a body. */
const MAX_NAME = 100;

type Described = Required<Pick<OperationNotes, 'operation' | 'rootFields'>>;

/** Operations of documents that are kept, as they are logged: each is looked through once. */
const described = new WeakMap<OperationDefinitionNode, Described>();

/** Notes which operation of a valid document is run. */
export function noteOperation(notes: OperationNotes, document: DocumentNode, operationName?: string | null): void {
  notes.errors = 0;
  const operation = getOperationAST(document, operationName);
  if (!operation) return;
  const known = described.get(operation) ?? describe(operation, document);
  described.set(operation, known);
  notes.operation = known.operation;
  notes.rootFields = known.rootFields;
}

/** Notes what the caller is told. */
export function noteErrors(notes: OperationNotes, codes: readonly ErrorCode[]): void {
  notes.errors = codes.length;
  notes.codes = [...new Set(codes)];
}

/** Notes a job that was started. */
export function noteJob(notes: OperationNotes, jobId: string): void {
  if (notes.jobId === undefined && notes.jobIds === undefined) {
    notes.jobId = jobId;
    return;
  }
  notes.jobIds = [...(notes.jobIds ?? []), ...(notes.jobId === undefined ? [] : [notes.jobId]), jobId];
  delete notes.jobId;
}

function describe({ name, selectionSet }: OperationDefinitionNode, { definitions }: DocumentNode): Described {
  const fields = new Set<string>();
  const entered = new Set<string>();
  const walk = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet);
      else enter(selection.name.value);
    }
  };
  const enter = (fragment: string): void => {
    if (entered.has(fragment)) return;
    entered.add(fragment);
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === fragment)
        walk(definition.selectionSet);
    }
  };
  walk(selectionSet);
  return { operation: name?.value.slice(0, MAX_NAME), rootFields: [...fields] };
}
