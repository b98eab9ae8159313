import { CelError, compile } from '../../../sdk/cel.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differ } from '../difference.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'

/** Expressions and what cel-go makes of them in the environment of Porch's PackageVariantSet controller. */
export const CEL: Adapter = { folder: 'cel', cases: casesOf, known: KNOWN_DIFFERENCES, run: compare }

const SCOPE = ['repoDefault', 'packageDefault', 'upstream', 'repository', 'target']

/** The cases of a file, each with the variables that it names. */
function casesOf(file: JsonValue): readonly JsonValue[] {
  const { vars, cases = null } = isRecord(file) ? file : {}
  if (cases === null) return []
  if (!isRecord(vars) || !Array.isArray(cases)) throw new Error('a file of expressions must have `vars` and `cases`')
  return cases.map((vector: JsonValue, index) => (isRecord(vector) ? withVariables(vector, index, vars) : vector))
}

/** Expressions have no names; the same one may stand there with several sets of variables. */
function withVariables(vector: JsonRecord, index: number, vars: JsonRecord): JsonRecord {
  return {
    ...vector,
    name: [`#${index}`, JSON.stringify(vector.expr)].join(' ').trim(),
    variables: lookup(vars, String(vector.vars)) ?? null,
  }
}

/** The outcome of an expression: a string, or the words of an error in its phase. */
interface Outcome {
  readonly phase: string
  readonly text: string
}

function compare(vector: JsonRecord): readonly Difference[] {
  // The program is made where the expression is compiled, so a constant without a value is a fault of compilation.
  const phase = vector.phase === 'program' ? 'compile' : String(vector.phase)
  const theirs = { phase, text: textOf(vector, vector.phase === 'ok' ? 'value' : 'error') }
  const ours = evaluate(textOf(vector, 'expr'), vector.variables)
  return differ('outcome', print(ours, theirs), print(theirs, theirs))
}

function textOf(vector: JsonRecord, key: string): string {
  const text = lookup(vector, key)
  if (typeof text !== 'string') throw new Error(`\`${key}\` must be a text`)
  return text
}

function evaluate(expression: string, variables: JsonValue | undefined): Outcome {
  if (!isRecord(variables)) throw new Error('`vars` must name a set of variables of the file')
  try {
    return { phase: 'ok', text: compile(expression, SCOPE).text(variables) }
  } catch (error) {
    if (error instanceof CelError) return { phase: error.phase, text: error.message }
    throw error
  }
}

/** `PHASE: TEXT`. The words of a syntax error are the parser's own: of these only the places are compared. */
function print({ phase, text }: Outcome, theirs: Outcome): string {
  const places = theirs.text.includes('Syntax error: ') ? /^ERROR: <input>:\S+/.exec(text)?.[0] : undefined
  return `${phase}: ${places ?? text}`
}
