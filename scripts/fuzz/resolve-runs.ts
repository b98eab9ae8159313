import fc from 'fast-check'
import { parse } from 'yaml'
import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { resolveDependencies } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { evaluate, type KrmFunction } from '../../src/run.ts'
import { printResourceList } from '../../testdata/conformance-runner/wire.ts'
import { allowedStates, type State } from './allowed-states.ts'
import { type InstallingObject, PACKAGE_SYSTEMS, type PackageSystem } from './package-objects.ts'
import { type RandomPackages, randomPackages } from './random-packages.ts'
import type { FuzzOutcome, FuzzTarget } from './target.ts'

/**
 * Whole runs of resolve-dependencies, with any options: there is an answer where brute force finds one, and it is one of those (with
 * `native`, if there is one); check-dependencies finds nothing that resolve claims to fix; a second run changes nothing; the order of the
 * items makes no difference.
 */
export const resolveRuns: readonly FuzzTarget[] = PACKAGE_SYSTEMS.map((system) => ({
  name: `resolve-${system.name}`,
  count: 5000,
  run(count, seed): FuzzOutcome {
    const holds = fc.property(randomPackages(system.words), (packages) => runFault(system, packages) === undefined)
    const { numRuns: cases, counterexample } = fc.check(holds, { numRuns: count, seed })
    const [packages] = counterexample ?? []
    if (packages === undefined) return { cases, failures: 0, examples: [] }
    return { cases, failures: 1, examples: [`${JSON.stringify(packages)}\n    ${runFault(system, packages)}`] }
  },
}))

/** Returns what is wrong with a run; undefined when nothing is. */
function runFault(system: PackageSystem, packages: RandomPackages): string | undefined {
  const { strategy, upgrades, downgrades, prune } = packages
  const resolve = (objects: readonly object[]): Run =>
    run(resolveDependencies, objects, { kind: 'ResolveDependencies', spec: { universe: 'closed', strategy, upgrades, downgrades, prune } })
  const objects = system.objectsOf(packages)
  const { exitCode, items, messages } = resolve(objects)
  const reversed = resolve([...objects].reverse())
  const allowed = allowedStates(packages)
  // An operator may end in a conflict where there is an answer.
  const isMissed = exitCode !== 0 && allowed.length > 0 && strategy === 'satisfy'
  if (isMissed || (exitCode === 0 && allowed.length === 0))
    return `${allowed.length} answers, exit code ${exitCode}: ${messages.join('; ')}`
  if (exitCode !== reversed.exitCode || asSet(items) !== asSet(reversed.items))
    return `the order matters: ${asSet(items)}, ${asSet(reversed.items)}`
  if (exitCode !== 0) return asSet(items) === asSet(objects) ? undefined : 'a run that fails changes something'
  const state = stateOf(items, packages, system)
  if (!allowed.some((each) => each.join() === state.join())) return `${state.join()} is no answer`
  const checked = run(checkDependencies, items, { kind: 'CheckDependencies', spec: { universe: 'closed' } })
  if (checked.messages.length > 0) return `not fixed: ${checked.messages.join('; ')}`
  const second = resolve(items)
  return asSet(second.items) === asSet(items)
    ? undefined
    : `${state.join()}, and in a second run ${stateOf(second.items, packages, system).join()}`
}

interface Run {
  readonly exitCode: number
  readonly items: readonly object[]
  /** Of errors that a plan could fix. */
  readonly messages: readonly string[]
}

interface Wire {
  readonly items?: readonly object[]
  readonly results?: readonly { readonly severity: string; readonly message: string; readonly tags: { readonly rule: string } }[]
}

function run(fn: KrmFunction, objects: readonly object[], config: { readonly kind: string; readonly spec: object }): Run {
  const items = objects.map((object) => ({ object, path: `${fileOf(object)}.yaml`, index: 0 }))
  const { stdout, exitCode } = evaluate(fn, printResourceList(items, { apiVersion: 'fn.krm-variants.dev/v1alpha1', ...config }))
  const { items: after = [], results = [] }: Wire = parse(stdout)
  const errors = results.filter(({ severity, tags }) => severity === 'error' && tags.rule !== 'dependency-cycle')
  return { exitCode, items: after.map(withoutPlace), messages: errors.map(({ message }) => message) }
}

interface Named {
  readonly kind?: string
  readonly metadata?: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> }
}

// A file for each object, by its name: what is made goes beside its owner, wherever that stands in the list.
function fileOf({ kind, metadata }: Named): string {
  return `${kind}-${metadata?.name}`
}

function withoutPlace(object: Named): object {
  const annotations = Object.entries(object.metadata?.annotations ?? {}).filter(([key]) => !/^(internal\.)?config\./.test(key))
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(annotations) } }
}

function asSet(objects: readonly object[]): string {
  return objects
    .map((object) => JSON.stringify(withoutPlace(object)))
    .sort()
    .join('\n')
}

function stateOf(objects: readonly InstallingObject[], { packages }: RandomPackages, { installedBy }: PackageSystem): State {
  const installed = objects.flatMap((object) => installedBy(object) ?? [])
  return packages.map((_, number) => {
    const versions = installed.filter((each) => each.package === number).map(({ version }) => version)
    return versions.length > 1 ? versions.join(' and ') : versions[0]
  })
}
