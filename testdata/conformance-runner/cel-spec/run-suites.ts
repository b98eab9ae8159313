import { type Report, sumFolders } from '../run-tree.ts'
import { answer, expectation } from './answer.ts'
import { EXCEPTIONS, type Exception } from './exceptions.ts'
import { type SpecTest, specSuites } from './spec-test.ts'

/** Runs the conformance tests of cel-spec (the package `@bufbuild/cel-spec`): a line for each suite, below it what differs. */
export function runCelSpec(): Report {
  const reports = Array.from(specSuites(), ([name, tests]) => runSuite(name, tests))
  return {
    lines: reports.flatMap(({ lines }) => lines),
    folders: sumFolders(reports),
    cases: reports.reduce((sum, { cases }) => sum + cases, 0),
    failed: reports.some(({ failed }) => failed),
  }
}

function runSuite(name: string, tests: readonly SpecTest[]): Report {
  const verdicts = tests.map(judge)
  const known = verdicts.flatMap(({ exception }) => exception ?? [])
  const different = verdicts.flatMap(({ difference }) => difference ?? [])
  const equal = tests.length - known.length - different.length
  const head = `cel-spec/${name}: ${equal} of ${tests.length} equal${known.length === 0 ? '' : `, ${known.length} known`}`
  return {
    lines: [head, ...countReasons(known), ...different],
    folders: new Map([['cel-spec', { equal, cases: tests.length }]]),
    cases: tests.length,
    failed: different.length > 0,
  }
}

function countReasons(known: readonly Exception[]): string[] {
  return EXCEPTIONS.map((each) => ({ ...each, count: known.filter((exception) => exception === each).length }))
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => `  ${count} known, docs/cel.md 6: ${reason}`)
}

interface Verdict {
  readonly difference?: string
  readonly exception?: Exception
}

/** A test that is an exception and wants an error is no equal one: it would have its error for the wrong reason. */
function judge(test: SpecTest): Verdict {
  const exception = EXCEPTIONS.find(({ holds }) => holds(test))
  try {
    const [must, is] = [expectation(test), answer(test)]
    const wantsError = must === 'error'
    const isEqual = wantsError ? is.startsWith('error') : is === must
    if (isEqual && !(wantsError && exception)) return {}
    return exception === undefined ? { difference: `  ${test.path}: must be ${must}, is ${is}` } : { exception }
  } catch (error) {
    return exception === undefined
      ? { difference: `  ${test.path}: threw ${error instanceof Error ? error.stack : String(error)}` }
      : { exception }
  }
}
