import { tests } from '@bufbuild/cel-spec/testdata/conformance.js'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'

/** A test of cel-spec, in the JSON form of cel.expr.conformance.test.SimpleTest. */
export interface SpecTest {
  /** Its suite, group and name: `fields/map_fields/map_key_string`. */
  readonly path: string
  readonly expr: string
  readonly fields: JsonRecord
  /** The type that cel-go finds; undefined where it refuses the expression. */
  readonly type: string | undefined
}

type Suite = typeof tests

/** The suites of cel-spec by name, each with the tests of all its groups. */
export function specSuites(): ReadonlyMap<string, readonly SpecTest[]> {
  return new Map((tests.suites ?? []).map((suite) => [suite.name, testsBelow(suite, suite.name)]))
}

function testsBelow(suite: Suite, path: string): readonly SpecTest[] {
  const own = (suite.tests ?? []).map(({ original, type }) => ({
    path: `${path}/${original.name}`,
    expr: original.expr,
    fields: original,
    type,
  }))
  return [...own, ...(suite.suites ?? []).flatMap((group) => testsBelow(group, `${path}/${group.name}`))]
}

export function fieldOf(written: JsonValue | undefined, name: string): JsonValue | undefined {
  return isRecord(written) ? lookup(written, name) : undefined
}
