import type { JsonRecord } from '../../../src/json.ts'
import type { KnownDifference } from '../adapter.ts'

/** Where we are not cel-go, and mean it. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/cel.md 5',
    reason: 'Go iterates maps at random; here keys are sorted',
    holds: ({ nondeterministicInGo }) => nondeterministicInGo === true,
    explains: ({ actual }) => /^(?:ok|eval): /.test(String(actual)),
  },
  {
    row: 'docs/cel.md 5',
    reason: 'protobuf messages, their types and enums are refused: no template needs one',
    holds: (vector) => /google\.protobuf\.(?!(?:Duration|Timestamp)\b(?!\s*\{))/.test(expressionOf(vector)),
    explains: ({ actual }) => /^compile: .*(?:protobuf messages are not supported|undeclared reference to 'google)/.test(String(actual)),
  },
  {
    row: 'docs/cel.md 5',
    reason: "cel-go names Go's own type of a variable that is no key; here every map is cel-go's type of maps",
    holds: ({ error }) => /^invalid qualifier type: (?:map\[|\[\])/.test(String(error)),
    explains: ({ actual }) => /^eval: invalid qualifier type: \*types\.base(?:Map|List)$/.test(String(actual)),
  },
]

function expressionOf({ expr }: JsonRecord): string {
  return String(expr)
}
