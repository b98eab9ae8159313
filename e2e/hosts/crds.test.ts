import { existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { bundlePath, runProgram } from '../run-program.ts'
import { type CrdFault, readCrds } from './crd.ts'
import { EXAMPLES, FUNCTIONS, goldenCasesOf } from './functions.ts'
import { CRDS, KPTS } from './present-hosts.ts'

/** A result as it stands in the output. */
interface WrittenResult {
  readonly severity: string
  readonly field?: { readonly path: string; readonly currentValue?: unknown }
}

describe.skipIf(!existsSync(CRDS))("the CustomResourceDefinitions of Porch's controllers", () => {
  const faultsOf = existsSync(CRDS) ? readCrds(CRDS) : () => []

  test.each([
    { reason: 'an unknown field', spec: { upstream: { repos: 'a' } }, path: ['spec', 'upstream', 'repos'] },
    { reason: 'another type', spec: { upstream: { revision: 'v1' } }, path: ['spec', 'upstream', 'revision'] },
  ])('refuse $reason', ({ spec, path }) => {
    const variant = { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'PackageVariant', metadata: { name: 'a' }, spec }
    expect(faultsOf(variant).map((fault) => fault.path)).toContainEqual(path)
  })

  test.each(FUNCTIONS)('take what the golden cases of %s make, but for what a warning names', (name) => {
    const cases = goldenCasesOf(name).filter(({ exitCode }) => exitCode === 0)
    const checked = cases.map(({ name, input, expectedFile }) => ({ name, ...check(input, readFileSync(expectedFile, 'utf8')) }))
    expect(checked.filter(({ unexcused }) => unexcused.length > 0)).toEqual([])
    console.log(`${name}: ${sum(checked, 'made')} objects valid or warned about, ${sum(checked, 'excused')} values that a warning names`)
  })

  test.each(EXAMPLES)('take what the functions make of %s', async (example) => {
    const { stdout } = await runProgram(KPTS[0] ?? 'kpt', ['fn', 'source', example])
    const runs = await Promise.all(FUNCTIONS.map((name) => runProgram(bundlePath(name), [], stdout)))
    const outputs = runs.filter(({ exitCode }) => exitCode === 0)
    expect(outputs.flatMap((output) => check(stdout.toString(), output.stdout.toString()).unexcused)).toEqual([])
  })

  /** Returns what a run made or changed, and its faults there; excused are those that a warning of the run names. */
  function check(input: string, output: string): { made: number; excused: number; unexcused: CrdFault[] } {
    const before = new Map(ResourceList.parse(input).items.map((item) => [identityOf(item), item.toJson()]))
    const made = ResourceList.parse(output).items.filter((item) => !input.includes(item.toText().trim()))
    const objects = made.map((item) => ({ kind: item.kind, object: item.toJson(), before: before.get(identityOf(item)) }))
    const faults = objects.flatMap(({ kind, object, before }) =>
      faultsOf(object).flatMap(({ path, message }) => {
        const [value, old] = [valueAt(object, path), valueAt(before, path)]
        // What is kept of the input is not made by the run.
        return (value !== undefined && isDeepStrictEqual(value, old)) || isProposed(kind, path) || isUndefined(path)
          ? []
          : [{ path, message, value }]
      }),
    )
    const warnings = resultsIn(output).filter(({ severity }) => severity === 'warning')
    const isExcused = ({ path, value }: CrdFault & { value: unknown }) =>
      warnings.some(({ field }) => field?.path.split('.').at(-1) === path.at(-1) && field?.currentValue === value)
    return {
      made: objects.filter(({ kind }) => kind === 'PackageVariant' || kind === 'PackageVariantSet').length,
      excused: faults.filter(isExcused).length,
      unexcused: faults.filter((fault) => !isExcused(fault)),
    }
  }
})

/** The status that seed 002 gives a PackageInstall: no released kapp-controller has it. */
function isProposed(kind: string | undefined, path: readonly string[]): boolean {
  return kind === 'PackageInstall' && isDeepStrictEqual(path, ['status', 'dependencies'])
}

/**
 * Returns true for the fields that the definitions of this test do not have: those of pipeline functions that Porch's newest definitions
 * have, and `point` of an injector, which is ours (docs/porch.md 9).
 */
function isUndefined(path: readonly string[]): boolean {
  const field = path.at(-1) ?? ''
  return (path.includes('pipeline') && ['configRef', 'when'].includes(field)) || (path.includes('injectors') && field === 'point')
}

function identityOf({ apiVersion, kind, namespace, name }: KrmObject): string {
  return [apiVersion, kind, namespace, name].join(' ')
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => Reflect.get(Object(value), key), object)
}

function resultsIn(output: string): WrittenResult[] {
  const start = output.search(/^results:$/m)
  return start === -1 ? [] : parse(output.slice(start)).results
}

function sum<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0)
}
