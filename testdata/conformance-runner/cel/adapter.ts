import { CelError } from '../../../src/cel/cel-error.ts'
import { compile } from '../../../src/cel/program.ts'
import { prepareVariables } from '../../../src/cel/variables.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import type { Adapter } from '../adapter.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'

/** Expressions and what cel-go makes of them in the environment of Porch's PackageVariantSet controller. */
export const CEL: Adapter = { folder: 'cel', cases: casesOf, known: KNOWN_DIFFERENCES, run: compare }

const SCOPE = ['repoDefault', 'packageDefault', 'upstream', 'repository', 'target']

/** The cases of a file, each with the variables that it names. */
function casesOf(file: JsonValue): readonly JsonRecord[] {
  const { vars, cases } = isRecord(file) ? file : {}
  if (!isRecord(vars) || !Array.isArray(cases) || !cases.every(isRecord))
    throw new Error('a file of expressions must have `vars` and `cases`')
  return cases.map((vector) => ({ ...vector, name: String(vector.expr), variables: vars[String(vector.vars)] ?? {} }))
}

/** What an expression came to: a string, or the words of an error in its phase. */
interface Outcome {
  readonly phase: string
  readonly text: string
}

function compare(vector: JsonRecord): readonly string[] {
  // The program is made where the expression is compiled, so a constant without a value is a fault of compilation.
  const phase = vector.phase === 'program' ? 'compile' : String(vector.phase)
  const theirs = { phase, text: String(vector.phase === 'ok' ? vector.value : vector.error) }
  const ours = evaluate(vector)
  if (ours.phase === theirs.phase && comparable(ours.text, theirs.text) === comparable(theirs.text, theirs.text)) return []
  return [`must be ${theirs.phase}: ${JSON.stringify(theirs.text)}, is ${ours.phase}: ${JSON.stringify(ours.text)}`]
}

function evaluate({ expr, variables }: JsonRecord): Outcome {
  try {
    const prepared = prepareVariables(new Map(Object.entries(isRecord(variables) ? variables : {})))
    return { phase: 'ok', text: compile(String(expr), SCOPE).evaluate(prepared) }
  } catch (error) {
    if (error instanceof CelError) return { phase: error.phase, text: error.message }
    throw error
  }
}

/** The words of a syntax error are the parser's own: of these only the place is compared. */
function comparable(text: string, theirs: string): string | undefined {
  return theirs.includes('Syntax error: ') ? /^ERROR: <input>:\S+/.exec(text)?.[0] : text
}
