// The stable surface of `krm-variants/sdk`: what is exported here, and nothing else. sdk/api/sdk.public.api.md is its report, which a test
// compares.
export type { FunctionDoc } from '../src/doc/function-doc.ts'
export { type FieldPath, formatFieldPath } from '../src/field-path.ts'
export { isRecord, type JsonRecord, type JsonScalar, type JsonValue } from '../src/json.ts'
export { WireError } from '../src/resource-list/wire-error.ts'
export { type FileRef, FunctionError, formatResult, type Position, type ResourceRef, type Result, type Severity } from '../src/result.ts'
export type { About, Outcome } from '../src/run.ts'
export type { Fault } from '../src/schema/fault.ts'
export type { Infer, Schema, TypeName } from '../src/schema/schema.ts'
export { type Decoded, decode, decodeConfig, type Rules } from './decode.ts'
export { type AsyncKrmFunction, evaluate, evaluateAsync, type KrmFunction } from './evaluate.ts'
export { main } from './main.ts'
export { KrmObject, ResourceList } from './objects.ts'
