import { expect, test } from 'vitest'
import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { resolveDependencies, type Simulation, simulateAsConfigured } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import type { JsonRecord } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, formatResult, hasErrors, type Result } from '../../src/result.ts'
import { chooser, type RandomCluster, randomCluster, resolutionOf } from './testing/random-cluster.ts'

/** How many random clusters each test tries. */
const RUNS = Number(process.env.RUNS ?? 25)
const FIRST = Number(process.env.SEED ?? 0)

function listOf(objects: readonly string[], kind: string, spec: JsonRecord): ResourceList {
  const items = objects.map((text, index) => KrmObject.fromDocument(text, { path: `f${index}.yaml`, index: 0, line: 1 }))
  const config = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind, metadata: { name: 'options' }, spec }
  return ResourceList.of(items, KrmObject.fromDocument(`${JSON.stringify(config)}\n`, { path: 'options.yaml', index: 0, line: 1 }))
}

/** Returns the errors that a check of objects has, without the versions in their words. */
function errorsOf(objects: readonly string[], options: JsonRecord): ReadonlyMap<string, Result> {
  const list = listOf(objects, 'CheckDependencies', options)
  checkDependencies(list)
  const errors = list.results.filter(({ severity }) => severity === 'error')
  return new Map(errors.map((each) => [JSON.stringify([each.resourceRef, each.field?.path, each.tags.rule, each.tags.dependency]), each]))
}

interface Resolved {
  /** The objects that were written; undefined: the run was refused. */
  readonly objects: readonly string[] | undefined
  readonly results: readonly Result[]
}

function resolved(objects: readonly string[], spec: JsonRecord): Resolved {
  const list = listOf(objects, 'ResolveDependencies', spec)
  try {
    resolveDependencies(list)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    list.results.push(...error.results)
  }
  const texts = list.items.map((item) => item.toText())
  if (!hasErrors(list.results)) return { objects: texts, results: list.results }
  return { objects: undefined, results: list.results }
}

/** A package that a state shows as installed and running. */
const HEALTHY = / Active, revision |, ready$/

/** Returns the packages of a state that are neither installed and healthy nor shown with a reason. */
function unexplained(state: Simulation[number]): readonly string[] {
  const words = state.results
    .filter(({ severity }) => severity !== 'info')
    .map(formatResult)
    .join('\n')
  return state.packages.flatMap(({ name, at, parts }) => {
    const isCarvel = name.startsWith('PackageInstall ')
    const isHealthy = isCarvel ? !at.endsWith(' no version') : parts.some((part) => HEALTHY.test(part))
    const isExplained =
      words.includes(name) || parts.some((part) => !HEALTHY.test(part) && /known|must|no version|not ready|requires/.test(part))
    return isHealthy || isExplained ? [] : [`${name}: ${at} ${parts.join('; ')}`]
  })
}

function stateAfter(objects: readonly string[], spec: JsonRecord): Simulation[number] | undefined {
  return simulateAsConfigured(listOf(objects, 'ResolveDependencies', spec), []).at(-1)
}

const texts = ({ objects }: RandomCluster): readonly string[] => objects.map((object) => `${JSON.stringify(object)}\n`)

/** A random cluster, and what a resolution makes of it. */
interface Run {
  readonly before: readonly string[]
  readonly options: JsonRecord
  readonly resolution: JsonRecord
  readonly after: Resolved
}

function runOf(seed: number): Run {
  const choose = chooser(seed)
  const [cluster, resolution] = [randomCluster(choose), resolutionOf(choose)]
  const before = texts(cluster)
  return { before, options: cluster.options, resolution, after: resolved(before, { ...cluster.options, ...resolution }) }
}

/** Returns true for the one fault that a resolution writes with a warning: a component whose manifest is for the cluster. */
function isForetold({ tags }: Result, warnings: readonly Result[]): boolean {
  const { rule } = tags
  return rule === 'scope-mismatch' && warnings.some((each) => each.tags.rule === rule && each.message.endsWith('; a check refuses it'))
}

const SEEDS = Array.from({ length: RUNS }, (_, i) => FIRST + i)

test('after a resolution without an error, a check has no error that it did not have before', () => {
  const faults = SEEDS.flatMap((seed) => {
    const { before, options, after } = runOf(seed)
    if (after.objects === undefined) return []
    const known = errorsOf(before, options)
    return [...errorsOf(after.objects, options)].flatMap(([key, result]) =>
      known.has(key) || isForetold(result, after.results) ? [] : [`${seed}: ${formatResult(result)}`],
    )
  })
  expect(faults).toEqual([])
})

test('a simulation of what a resolution wrote comes to rest, and each package is healthy or has a reason', () => {
  const faults = SEEDS.flatMap((seed) => {
    const { before, options, resolution, after } = runOf(seed)
    try {
      const state = stateAfter(after.objects ?? before, { ...options, ...resolution })
      if (state === undefined || hasErrors(state.results)) return []
      const restless = state.results.filter(({ tags, message }) => tags.rule === 'controllers-fight' && !/ and .* both /.test(message))
      return [...restless.map(({ message }) => message), ...unexplained(state)].map((fault) => `${seed}: ${fault}`)
    } catch (error) {
      return error instanceof FunctionError ? [] : [`${seed}: ${error instanceof Error ? error.stack : error}`]
    }
  })
  expect(faults).toEqual([])
})

test('an object that is resolved twice is resolved as once', () => {
  const faults = SEEDS.flatMap((seed) => {
    const { options, resolution, after } = runOf(seed)
    if (after.objects === undefined) return []
    const again = resolved(after.objects, { ...options, ...resolution })
    return again.objects?.join() === after.objects.join()
      ? []
      : [`${seed}: ${again.objects === undefined ? again.results.map(formatResult).join(' ') : 'changed'}`]
  })
  expect(faults).toEqual([])
})
