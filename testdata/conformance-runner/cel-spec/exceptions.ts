import { isRecord } from '../../../src/json.ts'
import type { SpecTest } from './spec-test.ts'

/** A test that needs what Porch's environment does not have, or where cel-go differs from cel-spec. */
export interface Exception {
  readonly reason: string
  holds(test: SpecTest): boolean
}

const EXTENSIONS = /^(?:bindings_ext|block_ext|encoders_ext|math_ext|string_ext)\//
const MESSAGES = /cel\.expr\.conformance\.proto|TestAllTypes|"container":"google\.protobuf"|google\.protobuf\.(?!Duration\b|Timestamp\b)/
const DOUBLE_KEY = /\{\d+\.\d+:/
const REPEATED_KEY = /\{(\w+):.*\b\1u?:/

/** In order: a test is told under the first that holds. */
export const EXCEPTIONS: readonly Exception[] = [
  { reason: 'messages, enums and wrappers of protobuf', holds: ({ fields }) => MESSAGES.test(JSON.stringify(fields)) },
  { reason: 'extension libraries', holds: ({ path }) => EXTENSIONS.test(path) },
  { reason: 'optional values in types', holds: ({ path, expr }) => !path.startsWith('optionals/') && expr.includes('optional.') },
  {
    reason: 'cel-go has no value for a field of null or of a number behind `.?`',
    holds: ({ expr }) => /\.(?:invalid|absent)\.hasValue\(\)$/.test(expr),
  },
  { reason: 'functions that the test declares', holds: ({ fields }) => JSON.stringify(fields.typeEnv ?? null).includes('"function"') },
  { reason: 'fields in backquotes', holds: ({ expr }) => expr.includes('`') },
  {
    reason: 'variables with dots in their names',
    holds: ({ fields: { bindings = null } }) => isRecord(bindings) && Object.keys(bindings).some((name) => name.includes('.')),
  },
  { reason: 'Porch folds constants: a bad one is an error also where it is not needed', holds: ({ expr }) => expr.includes("[dyn(b'')]") },
  {
    reason: 'cel-go takes doubles as keys, and the last of equal keys',
    holds: ({ expr }) => DOUBLE_KEY.test(expr) || REPEATED_KEY.test(expr),
  },
  { reason: 'cel-go counts all milliseconds of a duration', holds: ({ expr }) => expr === 'x.getMilliseconds()' },
]
